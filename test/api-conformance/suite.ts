import { admission } from "./admission.ts";
import { apply } from "./apply.ts";
import { definitions } from "./definitions.ts";
import { embedded } from "./embedded.ts";
import { lists } from "./lists.ts";
import { life } from "./objects-life.ts";
import { requests } from "./requests.ts";
import type { Api } from "./target.ts";
import { typedRules } from "./typed-rules.ts";
import { validation } from "./validation.ts";
import { webhooks } from "./webhooks.ts";

/** What kubectl and the functions lean on. It runs on the local API and on the real one, and wants the same answers. */
export function conformance(api: () => Api): void {
  validation(api);
  definitions(api);
  apply(api);
  life(api);
  lists(api);
  requests(api);
  admission(api);
  embedded(api);
  typedRules(api);
  webhooks(api);
}
