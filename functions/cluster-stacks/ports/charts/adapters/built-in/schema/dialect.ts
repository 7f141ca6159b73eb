type Fields = Readonly<Record<string, unknown>>;

/** The drafts of JSON schema, the oldest first, by what `$schema` says of them. */
const DRAFTS = ["draft-04/", "draft-06/", "draft-07/", "draft/2019-09/", "draft/2020-12/"];
const LATEST = DRAFTS.length - 1;

/** The keywords that mean nothing yet in the drafts before the named one. */
const SINCE: ReadonlyMap<string, number> = new Map(
  Object.entries({
    "draft-06/": "const contains propertyNames",
    "draft-07/": "if then else",
    "draft/2019-09/":
      "dependentRequired dependentSchemas minContains maxContains unevaluatedProperties unevaluatedItems $recursiveRef $recursiveAnchor",
    "draft/2020-12/": "prefixItems $dynamicRef $dynamicAnchor",
  }).flatMap(([draft, keywords]) =>
    keywords.split(" ").map((keyword) => [keyword, DRAFTS.indexOf(draft)] as const),
  ),
);
/** The first draft in which keywords beside a reference count, and in which `format` describes and checks nothing. */
const SIBLINGS = DRAFTS.indexOf("draft/2019-09/");

/** The keywords of a schema that its draft knows: validators of that draft pass over all others. */
export function dialectOf(root: unknown): (schema: Fields) => Fields {
  const said = typeof root === "object" && root !== null && "$schema" in root ? String(root.$schema) : "";
  const found = DRAFTS.findIndex((draft) => said.includes(`json-schema.org/${draft}`));
  const draft = found < 0 ? LATEST : found;
  const spoken = new WeakMap<Fields, Fields>();
  return (schema) => {
    const before = spoken.get(schema);
    if (before !== undefined) return before;
    const known =
      draft < SIBLINGS && typeof schema.$ref === "string"
        ? { $ref: schema.$ref }
        : Object.fromEntries(
            Object.entries(schema).filter(
              ([keyword]) => (SINCE.get(keyword) ?? 0) <= draft && (keyword !== "format" || draft < SIBLINGS),
            ),
          );
    spoken.set(schema, known);
    return known;
  };
}
