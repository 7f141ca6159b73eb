/** Stands in a Lambda's bundle for a package that nothing there comes to use: pino's threads (a Lambda logs to its own output). */
const leftOut = (): never => {
  throw new TypeError("This package is left out of the bundle of a Lambda: infra/deploy/aws/bundles.ts.");
};

export { leftOut as default };
