import { awaitedSuite, embedded, onSqs } from "./awaited.ts";

awaitedSuite("on the embedded bus", "local", embedded);
awaitedSuite("on SQS", "local", onSqs);
