import { defineDynamic } from "../../../shared/function/index.ts";

/** The Secrets of the control plane whose content goes into runtimes, with modules or to pull images with, each admitted by its name. */
export class InjectedSecret extends defineDynamic("injected-secret") {}
