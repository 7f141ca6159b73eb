export { type AwsClusterOptions, awsClusterOptions, awsConnection } from "./connection.ts";
