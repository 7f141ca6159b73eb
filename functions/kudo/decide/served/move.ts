import { type Fields, fieldOf, fieldsOf } from "../../../../shared/json/fields.ts";
import type { KubeObject } from "../../../../shared/kube/object.ts";

/** Gives an object the fields that its present version has; a text: what of it has no place there. */
export type Move = (object: KubeObject) => KubeObject | string;

/** A record without the fields that are undefined. */
export const defined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
/** A record without some fields. */
export const without = (fields: Fields, ...names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
export const specOf = (object: KubeObject): Fields => fieldsOf(object.spec);
/** The object with another spec. */
export const withSpec = (object: KubeObject, spec: Fields): KubeObject => ({ ...object, spec });

/** Does one move after the other, until something has no place. */
export const inTurn =
  (...moves: readonly Move[]): Move =>
  (object) =>
    moves.reduce<KubeObject | string>((at, move) => (typeof at === "string" ? at : move(at)), object);

/** Nothing is said that the present version lacks: `spec.rollbackTo`. */
export const lacks =
  (...paths: readonly string[]): Move =>
  (object) =>
    paths.find(
      (path) => path.split(".").reduce<unknown>((at, name) => fieldOf(at, name), object) !== undefined,
    ) ?? object;

/** Spec fields that had another default, and mean it still where nothing is said. */
export const meant =
  (defaults: Fields): Move =>
  (object) =>
    withSpec(object, { ...defaults, ...defined(specOf(object)) });
