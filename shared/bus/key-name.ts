import type { WaitedObject } from "./contract.ts";
import type { WorkKey } from "./item.ts";

/** One text for a key, for maps and for order. */
export const keyName = ({ function: name, key }: WorkKey): string => `${name}\n${key}`;

/** One text for an object that keys wait for. */
export const objectName = ({ cluster, group, kind, namespace = "", name }: WaitedObject): string =>
  `${cluster}\n${group}\n${kind}\n${namespace}\n${name}`;
