/**
 * The path of an entry without `./` and slashes in front, as tar programs write them; undefined where it leads out of the folder that
 * it is unpacked in, or where two systems would read it differently.
 */
export function safePath(name: string): string | undefined {
  const path = name.replace(/^(?:\.?\/+)*/, "").replace(/\/+$/, "");
  const parts = path.split("/");
  const strange = path.includes("\\") || path.includes("\0") || /^[A-Za-z]:/.test(path);
  if (strange || parts.includes("..")) return undefined;
  return parts.filter((part) => part !== "." && part !== "").join("/");
}
