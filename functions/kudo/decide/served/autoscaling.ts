import { type Fields, fieldsOf } from "../../../../shared/json/fields.ts";
import { defined, type Move, specOf, withSpec } from "./move.ts";

const identifier = (name: unknown, selector: unknown): Fields => defined({ name, selector });
const average = (averageValue: unknown): Fields => ({ type: "AverageValue", averageValue });
const utilization = (percent: unknown, value: unknown): Fields =>
  percent === undefined ? average(value) : { type: "Utilization", averageUtilization: percent };

/** The sources of metrics in autoscaling/v2beta1, and how each is said now. */
const SOURCES: Readonly<Record<string, (said: Fields) => Fields>> = {
  resource: ({ name, targetAverageUtilization, targetAverageValue }) => ({
    name,
    target: utilization(targetAverageUtilization, targetAverageValue),
  }),
  containerResource: ({ name, container, targetAverageUtilization, targetAverageValue }) => ({
    name,
    container,
    target: utilization(targetAverageUtilization, targetAverageValue),
  }),
  pods: ({ metricName, selector, targetAverageValue }) => ({
    metric: identifier(metricName, selector),
    target: average(targetAverageValue),
  }),
  object: ({ metricName, selector, target, targetValue, averageValue }) => ({
    describedObject: target,
    metric: identifier(metricName, selector),
    target: averageValue === undefined ? { type: "Value", value: targetValue } : average(averageValue),
  }),
  external: ({ metricName, metricSelector, targetValue, targetAverageValue }) => ({
    metric: identifier(metricName, metricSelector),
    target:
      targetAverageValue === undefined ? { type: "Value", value: targetValue } : average(targetAverageValue),
  }),
};

/** The autoscaler of autoscaling/v2beta1. */
export const firstAutoscaler: Move = (object) => {
  const spec = specOf(object);
  if (!Array.isArray(spec.metrics)) return object;
  const metrics = spec.metrics.map((metric: unknown) =>
    Object.fromEntries(
      Object.entries(fieldsOf(metric)).map(([name, said]) => [name, SOURCES[name]?.(fieldsOf(said)) ?? said]),
    ),
  );
  return withSpec(object, { ...spec, metrics });
};
