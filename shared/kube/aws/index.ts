export { awsConnection } from "./connection.ts";
export { type AwsClusterOptions, awsClusterOptions } from "./options.ts";
