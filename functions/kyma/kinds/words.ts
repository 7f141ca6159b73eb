import * as z from "zod";

/** The schema of a channel: the track of releases that a module follows. */
export const channel = z.string().meta({ minLength: 3, maxLength: 32, pattern: "^[a-z]+$" });

const MODULE = "^([a-z]{3,}(-[a-z]{3,})*)?$";
const LONGEST_NAME = 64;

/** The schema of a module's name. */
export const moduleName = z.string().meta({ maxLength: LONGEST_NAME, pattern: MODULE });

/** True for a text that a module may be called. */
export const isModuleName = (text: string): boolean =>
  text !== "" && text.length <= LONGEST_NAME && new RegExp(MODULE).test(text);

const VERSION = "^((0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(-[a-zA-Z-][0-9a-zA-Z-]*)?)?$";

const LONGEST_VERSION = 32;

/** The schema of a module's version: semantic, with a pre-release of one part at most, and without build metadata. */
export const moduleVersion = z.string().meta({
  maxLength: LONGEST_VERSION,
  pattern: VERSION,
});

/** True for a text that a version of a module may be. */
export const isModuleVersion = (text: string): boolean =>
  text !== "" && text.length <= LONGEST_VERSION && new RegExp(VERSION).test(text);

/** The schema of what becomes of a module's default configuration object. */
export const customResourcePolicy = z.enum(["CreateAndDelete", "Ignore"]);
/** CreateAndDelete: the default configuration object comes and goes with the module. Ignore: it is the user's affair. */
export type CustomResourcePolicy = z.output<typeof customResourcePolicy>;

/** The schema of the object whose health tells that a module's operator is up. */
export const operatorReference = z.object({
  group: z.string().describe("Its API group."),
  version: z.string().describe("Its API version."),
  kind: z.string().describe("Its kind."),
  name: z.string().describe("Its name."),
  namespace: z.string().describe("Its namespace; absent for one without.").optional(),
});

/** An object that stands whole in a field of another. */
export interface EmbeddedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}
/** The schema of an object that stands whole in a field of another: the server checks that it has a kind. */
export const embeddedObject = z
  .looseObject({})
  .meta({ "x-kubernetes-embedded-resource": true }) as unknown as z.ZodType<EmbeddedObject, EmbeddedObject>;
