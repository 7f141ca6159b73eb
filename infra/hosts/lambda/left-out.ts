/**
 * Stands in a Lambda's bundle for what nothing there comes to use (infra/deploy/aws/bundles.ts): pino's threads, other outputs and
 * sealing of fields, since a Lambda logs to its own output and seals nothing there; WebSockets where no command runs in a container,
 * and their compression; the engines of patterns and of conditions where the function needs none.
 */
const leftOut = (): never => {
  throw new TypeError("This package is left out of the bundle of a Lambda: infra/deploy/aws/bundles.ts.");
};

export { leftOut as default, leftOut as Environment, leftOut as RE2JS, leftOut as RE2JSException };
