/** A flag of a query as Go reads it. */
export const isTrue = (text: string | null): boolean =>
  text !== null && ["1", "t", "T", "true", "TRUE", "True"].includes(text);
