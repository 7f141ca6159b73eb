const mapsOfQuantities = new Set(["requests", "limits", "hard", "capacity"]);
const quantities = new Set(["storage", "sizeLimit"]);

/** True where built-in kinds keep a quantity at this path of field names. */
export const quantityAt = (path: readonly string[]): boolean =>
  quantities.has(path.at(-1) ?? "") || mapsOfQuantities.has(path.at(-2) ?? "");
