import { skipWithoutControlPlane } from "../../infra/testing/control-plane.ts";
import { skipWithoutNats } from "../../infra/testing/nats-server.ts";
import { awaitedSuite, embedded, onNats, onSqs } from "./awaited.ts";

const skip = skipWithoutControlPlane();

awaitedSuite("on NATS", "local", onNats, skipWithoutNats());
awaitedSuite("on the embedded bus", "real", embedded, skip);
awaitedSuite("on NATS", "real", onNats, skip || skipWithoutNats());
awaitedSuite("on SQS", "real", onSqs, skip);
