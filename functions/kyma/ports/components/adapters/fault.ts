/** A fault of a component or its artifact, in words. */
export interface Fault {
  readonly fault: string;
}
