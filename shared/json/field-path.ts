/** `spec` + `size` → `spec.size`; the root has the empty path. */
export const fieldPath = (path: string, field: string): string => (path === "" ? field : `${path}.${field}`);
