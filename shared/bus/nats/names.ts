import { hash } from "node:crypto";
import type { Lane } from "../../../events/index.ts";
import { BusError } from "../errors.ts";
import type { WorkKey } from "../item.ts";

const TOKEN = /^[A-Za-z0-9_-]+$/;
/** 22 characters of base64url are 132 bits: no two keys share them. */
const KEY_CHARACTERS = 22;

/** One token of a subject that stands for a text of any form. */
const tokenOf = (text: string): string => hash("sha256", text, "base64url").slice(0, KEY_CHARACTERS);

/** The subjects, streams and consumers of one installation. */
export class Names {
  readonly prefix: string;
  /** Waiting work. */
  readonly work: string;
  /** The stream of states: keys that run, back off, are dead or wait for a time. */
  readonly state: string;
  /** The stream of waits: the keys that wait for each object. */
  readonly waits: string;
  readonly history: string;

  constructor(prefix: string) {
    this.prefix = prefix;
    this.work = `${prefix}-work`;
    this.state = `${prefix}-state`;
    this.waits = `${prefix}-waits`;
    this.history = `${prefix}-history`;
  }

  function(name: string): string {
    if (TOKEN.test(name)) return name;
    throw new BusError(
      "BUS_MISCONFIGURED",
      `The function name "${name}" cannot be part of a NATS subject: use letters, digits, - and _ only.`,
    );
  }

  waiting(key: WorkKey, lane: Lane): string {
    return `${this.prefix}.w.${this.function(key.function)}.${lane}.${tokenOf(key.key)}`;
  }
  record(key: WorkKey): string {
    // Refused events stand under a function name that is a token of its own.
    return `${this.prefix}.x.${this.function(key.function)}.${tokenOf(key.key)}`;
  }
  recordsOf(name = "*"): string {
    return `${this.prefix}.x.${name}.*`;
  }
  hint(key: WorkKey): string {
    return `${this.prefix}.r.${this.function(key.function)}.${tokenOf(key.key)}`;
  }
  waitsOf(key: WorkKey): string {
    return `${this.prefix}.v.${this.function(key.function)}.${tokenOf(key.key)}`;
  }
  runsOf(name: string): string {
    return `${this.prefix}.h.${this.function(name)}`;
  }
  /** The subject under which published events are told to the history. */
  get events(): string {
    return `${this.prefix}.e`;
  }
  /** The subject that names the run which made a version. */
  write(uid: string, resourceVersion: string): string {
    return `${this.prefix}.y.${tokenOf(`${uid} ${resourceVersion}`)}`;
  }
  /** The subject on which a host takes, from other hosts, items of keys that it runs. Not stored. */
  host(name: string, host: string): string {
    return `${this.prefix}.o.${name}.${host}`;
  }

  consumer(
    name: string,
    sort: Lane | "due",
  ): { readonly stream: string; readonly name: string; readonly filter: string } {
    const token = this.function(name);
    return sort === "due"
      ? { stream: this.state, name: `${token}-due`, filter: `${this.prefix}.r.${token}.*` }
      : { stream: this.work, name: `${token}-${sort}`, filter: `${this.prefix}.w.${token}.${sort}.*` };
  }

  /** The function and lane that a work subject names. */
  partsOf(subject: string): { readonly function: string; readonly lane: string; readonly token: string } {
    const [, , name = "", lane = "", token = ""] = subject.split(".");
    return { function: name, lane, token };
  }
}
