// Stands in a Lambda's bundle for @aws-sdk/client-sqs: the requests of the bus, by the same names.
import { JsonService, Operation, type ServiceOptions } from "./service.ts";

export class SQSClient extends JsonService {
  constructor(options?: ServiceOptions) {
    super("sqs", options);
  }
}

const sqs = (name: string) =>
  class extends Operation {
    constructor(input: { readonly QueueUrl: string }) {
      super(`AmazonSQS.${name}`, input, input.QueueUrl);
    }
  };

export const ChangeMessageVisibilityBatchCommand = sqs("ChangeMessageVisibilityBatch");
export const DeleteMessageBatchCommand = sqs("DeleteMessageBatch");
export const GetQueueAttributesCommand = sqs("GetQueueAttributes");
export const ReceiveMessageCommand = sqs("ReceiveMessage");
export const SendMessageBatchCommand = sqs("SendMessageBatch");
export const SendMessageCommand = sqs("SendMessage");
