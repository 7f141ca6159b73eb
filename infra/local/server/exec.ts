import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { messageOf } from "../../../shared/errors.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import type { Log } from "../../../shared/log/log.ts";
import { answerExec, refuseExec } from "../../kubelet/exec-socket.ts";
import { PodFilesError, played, runs } from "../../kubelet/pod-files.ts";
import {
  ApiError,
  badRequest,
  internalError,
  methodNotAllowed,
  notFound,
  unauthorized,
} from "../api-error.ts";
import { load } from "../kernel.ts";
import type { ApiUser } from "../resource-type.ts";
import { routeOf } from "./route.ts";
import type { Service } from "./service.ts";

/**
 * Answers a request that asks for a WebSocket: a command in a container of a Pod. There are no containers; what its files hold is
 * played (`infra/kubelet/pod-files.ts`).
 */
export async function answerUpgrade(
  service: Service,
  authenticate: () => ApiUser | undefined,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const { log } = service.kernel;
  socket.on("error", (error) => log.debug({ error: error.message }, "a connection broke"));
  try {
    if (authenticate() === undefined) throw unauthorized();
    const url = new URL(request.url ?? "", "https://server");
    const { pod, container } = meant(service, url);
    await answerExec(request, socket, head, played(pod, container, url.searchParams.getAll("command")));
  } catch (error) {
    const { status } = refusalOf(error, log);
    refuseExec(socket, status.code, status.reason ?? "", JSON.stringify(status));
  }
}

function refusalOf(error: unknown, log: Log): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof PodFilesError) return badRequest(error.message);
  log.error({ error: messageOf(error) }, "the local API failed to answer a command");
  return internalError(messageOf(error));
}

function meant(service: Service, url: URL): { readonly pod: KubeObject; readonly container: string } {
  const { type, namespace, name, subresource } = routeOf(service.kernel.registry, url.pathname);
  if (type.group !== "" || type.plural !== "pods" || subresource !== "exec" || name === undefined)
    throw methodNotAllowed();
  const pod = load(service.kernel, type, namespace, name) as KubeObject | undefined;
  if (pod === undefined) throw notFound(type, name);
  const container = url.searchParams.get("container") ?? "";
  if (!runs(pod, container))
    throw new ApiError(500, "InternalError", `container ${container} of pod ${name} is not running`);
  if (url.searchParams.getAll("command").length === 0)
    throw badRequest("you must specify at least 1 command for the container");
  return { pod, container };
}
