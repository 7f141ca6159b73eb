import { fieldsOf, isEmpty, isRecord, textOf } from "../../../../../shared/json/fields.ts";
import { hasInjectedCaBundle } from "../annotations.ts";
import { each, filled } from "../defaults/fill.ts";
import { writtenSchema } from "../defaults/json-schema.ts";
import { withConversionBundle } from "./injected.ts";
import type { KindRule } from "./kind-rule.ts";

const HTTPS_PORT = 443;

/** Without what says nothing: null, empty texts and lists, flags that are off, the priority zero. */
const withoutNothing = (value: unknown): unknown =>
  isRecord(value)
    ? Object.fromEntries(
        Object.entries(value).filter(
          ([name, field]) =>
            field !== null &&
            field !== "" &&
            !(Array.isArray(field) && isEmpty(field)) &&
            !(name === "deprecated" && field === false) &&
            !(name === "preserveUnknownFields" && field === false) &&
            !(name === "priority" && field === 0),
        ),
      )
    : value;

const names = (value: unknown): unknown => {
  const given = fieldsOf(withoutNothing(value));
  const kind = textOf(given.kind);
  return { singular: kind.toLowerCase(), listKind: `${kind}List`, ...given };
};
const conversion = (value: unknown): unknown => {
  const given = { strategy: "None", ...fieldsOf(withoutNothing(value)) };
  return filled(
    {},
    { webhook: filled({}, { clientConfig: filled({}, { service: filled({ port: HTTPS_PORT }) }) }) },
  )(given);
};
const version = (value: unknown): unknown =>
  filled(
    {},
    {
      schema: filled({}, { openAPIV3Schema: writtenSchema }),
      additionalPrinterColumns: each(withoutNothing),
      subresources: (subresources) => (isEmpty(subresources) ? undefined : withoutNothing(subresources)),
    },
  )(withoutNothing(value));
const complete = filled({}, { names, conversion, versions: each(version) });

/** The whole specification is the manifest's, but for a CA bundle that another injects. */
export const customResourceDefinition: KindRule = {
  others: "stay",
  complete: (body) => ({ ...body, spec: complete(withoutNothing(body.spec)) }),
  shall: (wanted, there, { live, manifest }) => {
    const injected = hasInjectedCaBundle(live) || hasInjectedCaBundle(manifest);
    return { ...there, spec: injected ? withConversionBundle(wanted.spec, there.spec) : wanted.spec };
  },
};
