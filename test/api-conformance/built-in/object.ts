/** An object to be judged by both servers. */
export interface Judged {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

const namespaceless = new Set(["PriorityClass"]);

/** An object named `a` in the namespace `default`, where its kind has one. */
export const of = (apiVersion: string, kind: string, fields: object, name = "a"): Judged => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespaceless.has(kind) ? {} : { namespace: "default" }) },
  ...fields,
});
