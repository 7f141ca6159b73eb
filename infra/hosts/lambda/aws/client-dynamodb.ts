// Stands in a Lambda's bundle for @aws-sdk/client-dynamodb: the requests of the bus, by the same names. Values are text and numbers only.
import { JsonService, Operation, type ServiceOptions, ServiceRefusal } from "./service.ts";

export class ConditionalCheckFailedException extends ServiceRefusal {}

export class DynamoDBClient extends JsonService {
  constructor(options?: ServiceOptions) {
    super("dynamodb", options, { ConditionalCheckFailedException });
  }
}

const dynamo = (name: string) =>
  class extends Operation {
    constructor(input: object) {
      super(`DynamoDB_20120810.${name}`, input);
    }
  };

export const BatchGetItemCommand = dynamo("BatchGetItem");
export const BatchWriteItemCommand = dynamo("BatchWriteItem");
export const DeleteItemCommand = dynamo("DeleteItem");
export const GetItemCommand = dynamo("GetItem");
export const PutItemCommand = dynamo("PutItem");
export const QueryCommand = dynamo("Query");
