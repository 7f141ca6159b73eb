import { registryOf } from "../../../../shared/oci/configured.ts";
import type { Fetch } from "../../../../shared/requests/exchange.ts";
import { componentPath } from "./adapters/blobs.ts";
import { type Place, type Published, packedComponent, type UnpackedComponent } from "./adapters/index.ts";

/** Publishes a component to a registry, as OCM does. */
export async function publishTo(
  repository: string,
  component: UnpackedComponent,
  outside: { readonly fetch?: Fetch } = {},
): Promise<void> {
  const { manifest, blobs } = await packedComponent(component);
  const client = registryOf({ repository: `${repository}/${componentPath(component.name)}` }, outside);
  for (const { content, mediaType = "" } of blobs) await client.pushBlob(content, mediaType);
  await client.pushManifest(component.version, manifest);
}

/** Publishes documents and blobs as they are. */
export async function publishedIn(
  repository: string,
  place: Place,
  { blobs = [], documents = [] }: Published,
  outside: { readonly fetch?: Fetch } = {},
): Promise<void> {
  const path =
    "component" in place
      ? `${repository}/${componentPath(place.component)}`
      : `${repository.split("/")[0]}/${place.repository}`;
  const client = registryOf({ repository: path }, outside);
  for (const content of blobs) await client.pushBlob(content, "");
  for (const { tag, content } of documents) await client.pushManifest(tag, content);
}
