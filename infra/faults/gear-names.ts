/** The namespace of the mirrors of all Gears. */
export const MIRRORS = "mirrors";
/** The group's ConfigMap in each namespace. */
export const TALLY = "tally";
/** Says of a ConfigMap which part of the answer it is. */
export const PART = "faults.example.org/part";

export const childOf = (gear: string): string => `${gear}-product`;
export const mirrorOf = (namespace: string, gear: string): string => `${namespace}.${gear}`;
