import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { parse, stringify } from "yaml";
import { seededRandom } from "../../infra/testing/random.ts";
import { testSeed, turnOf } from "../../infra/testing/system/sample.ts";
import { answer, difference, functionsWith } from "./answers.ts";
import {
  type Answer,
  ask,
  oraclePath,
  type Question,
  skipWithoutOracle,
  type YamlLibrary,
} from "./oracle.ts";
import { asked, recorded } from "./recorded.ts";

const LIBRARIES: readonly YamlLibrary[] = ["sigs", "v2"];
const skip = skipWithoutOracle();
const ROUNDS = 25;
const upstream = process.env.CONFORMANCE_DATA;

describe.skipIf(skip)("the recorded answers are still Go's", () => {
  for (const library of LIBRARIES)
    test(library, () => {
      const lines = recorded();
      for (const [index, { id: _, error: __, ...theirs }] of ask(lines.map(asked), library).entries()) {
        const line = lines[index];
        assert.deepEqual(theirs, library === "v2" ? (line?.v2 ?? line?.answer) : line?.answer);
      }
    });
});

/** Random text and values, of what YAML and JSON have to take care of. */
const PIECES =
  "a|b| |  |\n|\n\n|:|: |#| #|-|- |'|\"|\\|\t|é|☃|𝒳|1|0|10|2|e|.|_|0x|0b|yes|no|null|~|?|{|}|[|]|,|&|*|!|>|%|@|`|---|...|2001-01-01|T10:20:30Z|=|<<|+|1:20|\u001b|\u0007|\r|\u00a0|\u0085|\u2028|\ufeff"
    .split("|")
    .concat("word ".repeat(12), "long".repeat(20));
const NUMBERS = [1e6, 1e20, 1e21, -0.5, 1e-7, 123456789.25, 3e7, 1.8446744073709552e19, 2 ** 53, 0, 7];

describe.skipIf(skip)("random values are written as Go writes them", () => {
  const seed = turnOf(testSeed() ?? String(Date.now())) % 1_000_000;
  for (const library of LIBRARIES)
    test(`${library}, seed ${seed}`, () => {
      const random = seededRandom(seed);
      const below = (most: number): number => Math.floor(random() * most);
      const text = (): string =>
        Array.from({ length: below(6) }, () => PIECES[below(PIECES.length)] ?? "").join("");
      const value = (depth: number): unknown => {
        const sort = random();
        if (depth > 0 && sort < 0.25) return Array.from({ length: below(4) }, () => value(depth - 1));
        if (depth > 0 && sort < 0.5)
          return Object.fromEntries(Array.from({ length: below(4) }, () => [text(), value(depth - 1)]));
        if (sort < 0.85) return text();
        return sort < 0.95 ? NUMBERS[below(NUMBERS.length)] : [null, true, false][below(3)];
      };
      const template =
        "{{ toYaml .v }}{{ toJson .v }}{{ toPrettyJson .v }}{{ toRawJson .v }}{{ printf `%v %q %#v` .v .v .v }}";
      const questions = Array.from({ length: 3000 }, (_, id) => ({
        id,
        name: "a",
        template,
        vars: { v: value(3) },
      }));
      compare(questions, ask(questions, library), library);
    });
});

function compare(questions: readonly Question[], theirs: readonly Answer[], library: YamlLibrary): void {
  const functions = functionsWith(library);
  const wrong = questions.flatMap((question, index) => {
    const found = difference(answer(question, functions), theirs[index] ?? { id: -1 });
    return found === undefined ? [] : [`${question.name}: ${JSON.stringify(question)}\n${found}`];
  });
  assert.deepEqual(wrong.slice(0, 3), [], `${wrong.length} of ${questions.length} differ`);
}

interface Parameter {
  readonly name: string;
  readonly type?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
}
/** The result of rendering a package, and what it was rendered with. */
interface Package {
  readonly vars: Record<string, unknown>;
  readonly params: Record<string, { readonly type: string; readonly value: string }>;
  readonly pipes: Record<string, string>;
  readonly templates: Record<string, Omit<Answer, "id">>;
}

describe.skipIf(skip || upstream === undefined)("every package renders as Go renders it", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "templates-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const packages = globSync("kudo/**/operator.yaml", { cwd: upstream ?? "" })
    .map(dirname)
    .sort();
  test("there are packages", () => assert.ok(packages.length > 10));

  /** A value that an instance may have for a parameter, as text. */
  function valueFor(
    { type = "string", default: preset, enum: allowed }: Parameter,
    random: () => number,
  ): string {
    const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
    if (allowed !== undefined && random() < 0.8) return String(pick(allowed));
    if (type === "boolean") return String(random() < 0.5);
    if (type === "integer") return String(pick([0, 1, 2, 3, 7, 1000000]));
    if (type === "number") return String(pick([0.5, 1, 2.25, 1e6, 1e21]));
    if (type === "array") return stringify(pick([[], ["a", "b"], [1, 30000000, { x: null }], preset ?? []]));
    if (type === "map")
      return stringify(pick([{}, { a: 1, b: [true, "yes"] }, { "x y": 1e6 }, preset ?? {}]));
    return String(
      pick(["", "true", "false", "010", "4096", "a b", "é☃", '"q"', "1.5Gi", "[1, 2]", preset ?? ""]),
    );
  }

  for (const name of packages)
    test(name, () => {
      const place = join(upstream ?? "", name);
      const random = seededRandom(
        [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 1_000_003,
      );
      const declared = (parse(readFileSync(join(place, "params.yaml"), "utf8")) ?? {}) as {
        parameters?: readonly Parameter[];
      };
      for (let round = 0; round < 12; round += 1) {
        const values = (declared.parameters ?? []).filter(() => round > 0 && random() < 0.5);
        const file = join(folder, "params.yaml");
        writeFileSync(
          file,
          stringify(Object.fromEntries(values.map((one) => [one.name, valueFor(one, random)]))),
        );
        for (const library of LIBRARIES) {
          const { stdout, stderr } = spawnSync(
            oraclePath() ?? "",
            ["--toyaml", library, "--kudo-render", place, "--params", file],
            { encoding: "utf8", maxBuffer: 1 << 28 },
          );
          assert.notEqual(stdout, "", stderr);
          const { templates, ...data } = JSON.parse(stdout) as Package;
          const questions = Object.keys(templates).map((path, id) => ({
            ...data,
            id,
            name: path,
            template: readFileSync(join(place, "templates", path), "utf8"),
          }));
          compare(
            questions,
            Object.values(templates).map((theirs, id) => ({ ...theirs, id })),
            library,
          );
        }
      }
    });

  test("the largest package takes no longer than 20 ms", () => {
    const functions = functionsWith("v2");
    const costs = packages.map((name) => {
      const place = join(upstream ?? "", name);
      const { stdout } = spawnSync(oraclePath() ?? "", ["--kudo-render", place], { encoding: "utf8" });
      const { templates, ...data } = JSON.parse(stdout) as Package;
      const questions = Object.keys(templates).map((path, id) => ({
        ...data,
        id,
        name: path,
        template: readFileSync(join(place, "templates", path), "utf8"),
      }));
      // One rendering is too short for this clock: the mean of many, the least of several means.
      const tries = Array.from({ length: 3 }, () => {
        const before = process.threadCpuUsage();
        for (let round = 0; round < ROUNDS; round += 1)
          for (const question of questions) answer(question, functions);
        const { user, system } = process.threadCpuUsage(before);
        return (user + system) / 1000 / ROUNDS;
      });
      return { name, cost: Math.min(...tries) };
    });
    const most = costs.reduce((one, other) => (other.cost > one.cost ? other : one));
    process.stdout.write(`${most.name}: ${most.cost.toFixed(2)} ms\n`);
    assert.ok(most.cost <= 20, `${most.name}: ${most.cost} ms`);
  });
});
