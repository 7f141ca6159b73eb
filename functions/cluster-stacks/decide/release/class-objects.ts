import type { KubeObject } from "../../../../shared/kube/object.ts";
import { ChartError, type Charts } from "../../ports/charts/index.ts";
import { objectsOf } from "../apply/index.ts";
import type { Assets } from "../assets/index.ts";

/** The objects that the chart of a ClusterClass prints, or in words why they cannot be had. */
export async function classObjects(
  { classChart }: Pick<Assets, "classChart">,
  releaseName: string,
  namespace: string,
  charts: Charts,
): Promise<{ readonly objects: readonly KubeObject[] } | { readonly fault: string }> {
  try {
    const chart = { files: classChart.files };
    const { documents } = await charts.render(chart, {
      values: {},
      releaseName,
      namespace,
      includeCrds: true,
    });
    const printed = objectsOf(
      documents.flatMap(({ hook, object }) => (isTest(hook?.events) ? [] : [object])),
    );
    const fault = printed.find((object) => typeof object === "string");
    if (fault !== undefined)
      return { fault: `the chart of the ClusterClass prints what is no object: ${fault}` };
    const objects = printed.filter((object) => typeof object === "object");
    return objects.length === 0 ? { fault: "the chart of the ClusterClass prints no object" } : { objects };
  } catch (error) {
    if (error instanceof ChartError) return { fault: chartFaultText(error) };
    throw error;
  }
}

const isTest = (events: readonly string[] = []): boolean =>
  events.length > 0 && events.every((event) => event.startsWith("test"));

/** `web/templates/service.yaml:3: …`. */
export const chartFaultText = ({ file, line, message }: ChartError): string =>
  [file, line, ` ${message}`]
    .filter((part) => part !== undefined)
    .join(":")
    .trim();
