export { type LambdaParts, lambdaHandler } from "./handler.ts";
