import * as z from "zod";
import { timeOf } from "../../../../../shared/function/index.ts";
import { jsonOf } from "../../../../../shared/json/parse.ts";
import { OciError } from "../../../../../shared/oci/index.ts";
import type { Absent, Components, Description, Failed, Faulty, Layer } from "../contract.ts";
import type { ComponentBlobs } from "./blobs.ts";
import { componentIn, DESCRIPTOR_BYTES } from "./descriptor.ts";
import { followed } from "./followed.ts";
import { documentsIn, LAYER_BYTES } from "./layer.ts";
import { sourceOf } from "./source.ts";

/** The descriptor's layer may be a tar of large blocks; what counts is the descriptor in it. */
const DESCRIPTOR_LAYER_BYTES = 10 * DESCRIPTOR_BYTES;
const CONFIG_BYTES = 64 * 2 ** 10;

/** The configuration of a component's OCI artifact: it says which layer is the descriptor. */
const config = z.looseObject({
  componentDescriptorLayer: z.looseObject({ digest: z.string(), mediaType: z.string().optional() }),
});

/** Reads components out of what a place of them holds. */
export const componentsOf = (blobs: ComponentBlobs): Components => ({
  describe: (name, version) => told(`${name}:${version}`, () => described(blobs, name, version)),
  layer: ({ name, ref, type, repository }) =>
    told(`${ref} of ${name}`, async () => {
      const place = repository === undefined ? { component: name } : { repository };
      const content = await blobs.blob(place, ref, { maximumBytes: LAYER_BYTES });
      const read = await documentsIn(content, type);
      return "fault" in read ? faulty(`${ref} of ${name}`, read.fault) : { state: "read", ...read };
    }),
});

async function described(blobs: ComponentBlobs, name: string, version: string): Promise<Description> {
  const called = `${name}:${version}`;
  const place = { component: name };
  const found = await followed(blobs, place, version);
  if ("fault" in found) return faulty(called, found.fault);
  const { manifest } = found;
  if (manifest.config === undefined) return faulty(called, "its artifact has no configuration");
  const text = await blobs.blob(place, manifest.config.digest, { maximumBytes: CONFIG_BYTES });
  const { data } = config.safeParse(jsonOf(Buffer.from(text).toString("utf8")));
  if (data === undefined)
    return faulty(called, "its configuration does not say which layer is its descriptor");
  const { digest, mediaType } = data.componentDescriptorLayer;
  const layer = await blobs.blob(place, digest, { maximumBytes: DESCRIPTOR_LAYER_BYTES });
  const told = await componentIn(layer, { name, version, mediaType }, blobs.host);
  if ("fault" in told) return faulty(called, told.fault);
  const { artifact, ...component } = told;
  const source = await sourceOf(blobs, name, artifact);
  return "fault" in source
    ? faulty(called, source.fault)
    : { state: "described", component: { ...component, source } };
}

const faulty = (place: string, fault: string): Faulty => ({
  state: "faulty",
  message: `component ${place}: ${fault}`,
});

/** Has a fault of the place of components be an answer. */
async function told<Answer extends Description | Layer>(
  place: string,
  ask: () => Promise<Answer | Faulty>,
): Promise<Answer | Absent | Faulty | Failed> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof OciError)) throw error;
    const message = `component ${place}: ${error.message}`;
    switch (error.code) {
      case "OCI_NOT_FOUND":
        return { state: "absent", message };
      case "OCI_DIGEST_MISMATCH":
      case "OCI_TOO_LARGE":
      case "OCI_NAME_INVALID":
        return { state: "faulty", message };
      default: {
        const { notBefore } = error;
        return {
          state: "failed",
          message,
          ...(notBefore !== undefined && { notBefore: timeOf(notBefore) }),
        };
      }
    }
  }
}
