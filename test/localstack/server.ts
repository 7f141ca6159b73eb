import assert from "node:assert/strict";

/** A LocalStack that runs. */
export interface LocalStack {
  readonly endpoint: string;
  stop(): Promise<void>;
}

const IMAGE = "localstack/localstack:4.13.1";
const PORT = 4566;

/** What is used of the package `testcontainers`, which this folder's own package.json brings. */
interface Containers {
  readonly GenericContainer: new (image: string) => Container;
}
interface Container {
  withEnvironment(environment: Readonly<Record<string, string>>): Container;
  withExposedPorts(port: number): Container;
  start(): Promise<{
    getHost(): string;
    getMappedPort(port: number): number;
    stop(): Promise<unknown>;
  }>;
}

/** The one at `LOCALSTACK_ENDPOINT`; where that is not set, one in a container. */
export async function startLocalStack(): Promise<LocalStack> {
  const { LOCALSTACK_ENDPOINT: given } = process.env;
  if (given !== undefined && given !== "") return { endpoint: given, stop: async () => undefined };
  const name = "testcontainers";
  let containers: Containers;
  try {
    containers = (await import(name)) as Containers;
  } catch (cause) {
    throw new assert.AssertionError({
      message: `Set LOCALSTACK_ENDPOINT to a LocalStack that runs, or run "npm ci" in test/localstack to start one with Docker (${String(cause)}).`,
    });
  }
  const container = await new containers.GenericContainer(IMAGE)
    .withEnvironment({ SERVICES: "sqs,scheduler", EAGER_SERVICE_LOADING: "1" })
    .withExposedPorts(PORT)
    .start();
  return {
    endpoint: `http://${container.getHost()}:${container.getMappedPort(PORT)}`,
    stop: async () => {
      await container.stop();
    },
  };
}
