/** True for what may stand as a name in a path of the API server; it takes no request for another one, not even to read. */
export const isName = (text: string): boolean =>
  text !== "" && text !== "." && text !== ".." && !/[/%]/.test(text);
