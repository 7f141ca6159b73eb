import type * as z from "zod";
import type { SystemAdapters } from "../../shared/function/adapters.ts";
import { configuredComponents } from "./ports/components/adapters/index.ts";
import { components, type registrySettings } from "./ports/components/index.ts";

/** The components of modules, from the place that the configuration names. */
export const adapters: SystemAdapters<z.ZodObject<{ readonly registry: typeof registrySettings }>> = ({
  registry,
}) => [components.bind(configuredComponents(registry))];
