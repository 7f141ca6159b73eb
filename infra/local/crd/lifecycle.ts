import type { KubeObject } from "../../../shared/kube/object.ts";
import { apiVersionOfType, erase, type Kernel, load, save } from "../kernel.ts";
import { definitionsResource } from "../registry.ts";
import type { ApiObject, ResourceType } from "../resource-type.ts";
import { applyDefaults } from "../schema/default.ts";
import type { StoredEvent } from "../store/store.ts";
import { specOf } from "./definition.ts";
import { changesServing, cleanupFinalizer } from "./strategy.ts";

/** Deletes one object as a client would. */
export type Remove = (type: ResourceType, object: ApiObject) => void;

/**
 * Serves what CRDs say, and takes their objects away when they go: refreshes the registry, ends the watches of a kind that
 * changed, and lets a deleted CRD go once its last object has gone. Returns what has to be called after each stored change,
 * outside of it.
 */
export function followDefinitions(kernel: Kernel, remove: Remove): (event: StoredEvent) => void {
  const home = (): ResourceType | undefined =>
    kernel.registry.find("apiextensions.k8s.io", "v1", "customresourcedefinitions");

  /** Objects of a CRD that is being deleted; the CRD follows the last one. */
  const drain = (definition: KubeObject): void => {
    const type = kernel.registry
      .all()
      .find((one) => one.custom && `${one.plural}.${one.group}` === definition.metadata.name);
    if (type !== undefined) {
      const resource = `${type.group}/${type.plural}`;
      for (const { text } of kernel.store.list(resource, "")) {
        const object = JSON.parse(text) as ApiObject;
        if (object.metadata.deletionTimestamp === undefined) remove(type, object);
      }
      if (kernel.store.list(resource, "", "", 1).length > 0) return;
    }
    const definitions = home();
    const live =
      definitions === undefined ? undefined : load(kernel, definitions, undefined, definition.metadata.name);
    if (
      definitions === undefined ||
      live === undefined ||
      !live.metadata.finalizers?.includes(cleanupFinalizer)
    )
      return;
    const finalizers = live.metadata.finalizers.filter((name) => name !== cleanupFinalizer);
    if (finalizers.length === 0) erase(kernel, definitions, live);
    else save(kernel, definitions, { ...live, metadata: { ...live.metadata, finalizers } });
  };

  /** Objects stored before a default was declared show it from now on, at their old version: so they do on the real server. */
  const fillDefaults = (group: string, plural: string): void => {
    for (const type of kernel.registry.all()) {
      if (!type.custom || type.group !== group || type.plural !== plural || type.schema === undefined)
        continue;
      const apiVersion = apiVersionOfType(type);
      for (const { key, text } of kernel.store.list(`${group}/${plural}`, "")) {
        const object = JSON.parse(text) as ApiObject;
        if (object.apiVersion !== apiVersion) continue;
        applyDefaults(type.schema, object);
        const filled = JSON.stringify(object);
        if (filled !== text) kernel.store.rewrite(`${group}/${plural}`, key, filled);
      }
    }
  };

  const definitionChanged = (event: StoredEvent): void => {
    kernel.registry.refresh();
    const { group, names } = specOf(event.object);
    const gone = event.type === "DELETED";
    if (gone || (event.previous !== undefined && changesServing(event.previous, event.object))) {
      kernel.hub.endAll(`${group}/${names.plural}`, event.resourceVersion);
      if (!gone) fillDefaults(group, names.plural);
    }
    if (!gone && event.object.metadata.deletionTimestamp !== undefined) drain(event.object);
  };

  return (event) => {
    if (event.resource === definitionsResource) definitionChanged(event);
    else if (event.type === "DELETED" && event.resource.includes(".")) {
      const [group = "", plural = ""] = event.resource.split("/");
      const definitions = home();
      const definition =
        definitions === undefined ? undefined : load(kernel, definitions, undefined, `${plural}.${group}`);
      if (definition?.metadata.deletionTimestamp !== undefined) drain(definition);
    }
  };
}
