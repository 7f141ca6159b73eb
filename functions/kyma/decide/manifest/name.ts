const MOST = 62;

/**
 * The name of the Manifest of a module in a runtime, as upstream makes it: two components whose last words are the same have two names.
 * @param component the OCM component's name, `acme.com/mods/alpha-store`
 */
export function manifestName(kyma: string, component: string, module: string): string {
  const name = `${kyma}-${component.split("/").at(-1)}-${fnv1(`${component}${module}`)}`;
  return name.length <= MOST ? name : name.slice(0, MOST).replace(/-+$/, "");
}

/** The 32-bit FNV-1 hash of a text's UTF-8 bytes: it multiplies first (FNV-1a, which is more common, does so last). */
function fnv1(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = (Math.imul(hash, 0x01000193) ^ byte) >>> 0;
  return hash;
}
