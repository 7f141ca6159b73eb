import type { KubeObject } from "../../../../shared/kube/object.ts";
import { objectsOf } from "../../../../shared/manifests/objects.ts";
import { ChartError, type Charts, type RenderRequest } from "../../ports/charts/index.ts";
import type { ChartFiles } from "../assets/index.ts";

/** The circumstances of a rendering; definitions always count. */
export type Rendering = Omit<RenderRequest, "includeCrds">;

/**
 * The objects that a chart prints, or in words why they cannot be had.
 * @param called names the chart to people
 * @param mayBeEmpty whether a chart that prints nothing is in order: addons may be switched off by their values
 */
export async function printedObjects(
  charts: Charts,
  { files }: Pick<ChartFiles, "files">,
  request: Rendering,
  called: string,
  mayBeEmpty = false,
): Promise<{ readonly objects: readonly KubeObject[] } | { readonly fault: string }> {
  try {
    const { documents } = await charts.render({ files }, { ...request, includeCrds: true });
    const printed = objectsOf(
      documents.flatMap(({ hook, object }) => (isOfNoMoment(hook?.events) ? [] : [object])),
    );
    const fault = printed.find((object) => typeof object === "string");
    if (fault !== undefined) return { fault: `${called} prints what is no object: ${fault}` };
    const objects = printed.filter((object) => typeof object === "object");
    return objects.length === 0 && !mayBeEmpty ? { fault: `${called} prints no object` } : { objects };
  } catch (error) {
    if (error instanceof ChartError) return { fault: chartFaultText(error) };
    throw error;
  }
}

/** Tests, deletions and rollbacks of a helm release: none ever comes here, and what clears a cluster then must not run now. */
const NO_MOMENT = /^(test.*|(pre|post)-(delete|rollback))$/;
const isOfNoMoment = (events: readonly string[] = []): boolean =>
  events.length > 0 && events.every((event) => NO_MOMENT.test(event));

/** `web/templates/service.yaml:3: …`. Most messages name their place themselves. */
export const chartFaultText = ({ file, line, message }: ChartError): string =>
  file === undefined || message.startsWith(file)
    ? message
    : `${[file, line].filter((part) => part !== undefined).join(":")}: ${message}`;
