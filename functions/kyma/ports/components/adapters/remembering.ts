import type { Clock } from "../../../../../shared/clock/clock.ts";
import { remembered } from "../../../../../shared/requests/remembered.ts";
import type { Components, Description, Layer, LayerSource } from "../contract.ts";

/** The time for which a descriptor stands for all who ask, in milliseconds: a version may be published anew. */
const STANDS = 60_000;
/** The most artifacts that are kept. */
const MOST_LAYERS = 32;

/** The same components, each asked for once by all who ask at a time: a roll-out asks for one artifact for thousands of clusters. */
export function remembering(components: Components, clock: Clock): Components {
  const ask = (key: string): Promise<Description> => {
    const [name = "", version = ""] = JSON.parse(key) as readonly string[];
    return components.describe(name, version);
  };
  const describe = remembered(clock, STANDS, ask, (answer) =>
    answer.state === "failed" && answer.notBefore !== undefined ? Date.parse(answer.notBefore) : undefined,
  );
  const layers = new Map<string, Promise<Layer>>();
  const layer = (source: LayerSource, asking?: { readonly anew?: boolean }): Promise<Layer> => {
    const key = JSON.stringify([source.name, source.ref, source.type]);
    const known = asking?.anew === true ? undefined : layers.get(key);
    if (known !== undefined) return known;
    const asked = components.layer(source, asking);
    layers.delete(key);
    layers.set(key, asked);
    for (const oldest of layers.keys()) {
      if (layers.size <= MOST_LAYERS) break;
      layers.delete(oldest);
    }
    const forget = (): void => {
      if (layers.get(key) === asked) layers.delete(key);
    };
    // An artifact has a digest, so it stands for good; any other answer counts for those alone who asked.
    asked.then(({ state }) => (state === "read" ? undefined : forget()), forget);
    return asked;
  };
  return { describe: (name, version) => describe(JSON.stringify([name, version])), layer };
}
