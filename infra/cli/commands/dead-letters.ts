import { userInfo } from "node:os";
import { Command } from "commander";
import type { DeadLetter, Route } from "../../../shared/bus/contract.ts";
import type { ConfigOption, OutputOption, StateOption } from "../../../shared/function/command.ts";
import { CliError, UsageError } from "../../../shared/function/command-errors.ts";
import { COMMANDS } from "../../../shared/function/commands.ts";
import { shortTime, table } from "../../../shared/text.ts";
import type { Installation } from "../chosen-bus.ts";
import { withBusChoice, withExamples, withExamplesBelow, withOutput } from "../options.ts";
import { outputFormat, print, printAs, yaml } from "../output.ts";
import type { RunFile } from "../state-directory.ts";

interface LetterOptions extends OutputOption, StateOption, ConfigOption {
  readonly function?: string;
  readonly all?: true;
}

const target = "the number or the key that `list` prints";

/** `reveille dead-letters`: what failed for good. */
export function deadLetters(): Command {
  const command = withExamples(
    new Command("dead-letters").description("list, show, retry or drop the work that failed for good"),
    [
      ["What failed?", "reveille dead-letters list"],
      ["Look again at the first one", "reveille dead-letters redrive 1"],
      ["Look again at all of a function", "reveille dead-letters redrive --all --function widget"],
    ],
  );
  const ofFunction = (sub: Command): Command => sub.option("--function <name>", "of this function alone");
  command.addCommand(
    withOutput(withBusChoice(ofFunction(new Command("list").description("list them")))).action(list),
  );
  command.addCommand(
    withOutput(
      withBusChoice(
        new Command("show").description("show one, with its error and causes").argument("<letter>", target),
      ),
    ).action(show),
  );
  const changing = (name: string, description: string): Command =>
    withBusChoice(
      ofFunction(
        new Command(name)
          .description(description)
          .argument("[letter]", target)
          .option("--all", "all of them"),
      ),
    );
  command.addCommand(
    changing("redrive", "look at it again now; the old event is not replayed").action(redrive),
  );
  command.addCommand(
    changing("drop", "forget it; a change of its object still wakes the function").action(drop),
  );
  return withExamplesBelow(command, {
    list: [["Those of one function", "reveille dead-letters list --function widget"]],
    show: [["The first one, with its error and what led to it", "reveille dead-letters show 1"]],
    redrive: [
      ["Look again at the first one", "reveille dead-letters redrive 1"],
      ["Look again at all of a function", "reveille dead-letters redrive --all --function widget"],
    ],
    drop: [["Forget all refused events", "reveille dead-letters drop --all --function -"]],
  });
}

async function list(options: LetterOptions): Promise<void> {
  const format = outputFormat(options.output);
  const { withChosenBus } = await import("../chosen-bus.ts");
  const { describeWorkKey } = await import("../timeline/describe.ts");
  await withChosenBus(options, async (bus, { functions }) => {
    const letters = await numbered(bus.deadLetters, options.function, functions);
    printAs(
      format,
      letters.map(({ letter }) => letter),
      () =>
        letters.length === 0
          ? "Nothing has failed for good."
          : table(
              ["number", "function", "key", "attempts", "age", "error"],
              letters.map(({ number, letter }) => [
                number,
                letter.function === "-" ? "(refused event)" : letter.function,
                describeWorkKey(letter.key),
                letter.attempts,
                shortTime(Date.now() - Date.parse(letter.at)),
                letter.error.message,
              ]),
            ),
    );
  });
}

async function show(wanted: string, options: LetterOptions): Promise<void> {
  const format = outputFormat(options.output);
  const { withChosenBus } = await import("../chosen-bus.ts");
  await withChosenBus(options, async (bus, { functions }) => {
    for (const letter of await pick(bus.deadLetters, wanted, options, functions)) {
      const whole = (await bus.deadLetters.show(letter)) ?? letter;
      printAs(format, whole, () => yaml(whole));
    }
  });
}

async function redrive(wanted: string | undefined, options: LetterOptions): Promise<void> {
  const { withChosenBus } = await import("../chosen-bus.ts");
  const { requireRun, stateDirectory } = await import("../state-directory.ts");
  const { describeWorkKey } = await import("../timeline/describe.ts");
  const refused: string[] = [];
  await withChosenBus(
    options,
    async (bus, { functions }) => {
      for (const letter of await pick(bus.deadLetters, wanted, options, functions)) {
        if (!(await bus.deadLetters.redrive(letter, userInfo().username))) continue;
        if (letter.function !== "-")
          print(`${letter.function} looks at ${describeWorkKey(letter.key)} again`);
        else if ((await bus.deadLetters.show(letter)) === undefined) print(`${letter.key} was published`);
        else refused.push(`${letter.key} cannot be published: ${letter.error.message}`);
      }
    },
    () => routeOf(requireRun(stateDirectory(options.data)).run),
  );
  const [{ isLocked }, { isConfigured }] = await Promise.all([
    import("../dev/lock.ts"),
    import("../chosen-bus.ts"),
  ]);
  if (!isConfigured(options) && !isLocked(stateDirectory(options.data)))
    print("Nothing runs here now: it happens at the next start.");
  if (refused.length > 0)
    throw new CliError(
      "CLI_EVENT_REFUSED",
      `${refused.join("\n")}. \`reveille dead-letters drop\` forgets it.`,
    );
}

async function drop(wanted: string | undefined, options: LetterOptions): Promise<void> {
  const { withChosenBus } = await import("../chosen-bus.ts");
  const { describeWorkKey } = await import("../timeline/describe.ts");
  await withChosenBus(options, async (bus, { functions }) => {
    for (const letter of await pick(bus.deadLetters, wanted, options, functions))
      if (await bus.deadLetters.drop(letter))
        print(`${letter.function} ${describeWorkKey(letter.key)} dropped`);
  });
}

type Functions = Installation["functions"];
type Letters = { list(options?: { readonly function?: string | undefined }): Promise<readonly DeadLetter[]> };

/**
 * Numbered in the order of all letters, so that a number means the same with and without --function. Throws a `UsageError` for a
 * function that neither runs nor left a letter.
 */
async function numbered(
  letters: Letters,
  only: string | undefined,
  functions: Functions,
): Promise<readonly { readonly number: number; readonly letter: DeadLetter }[]> {
  const all = (await letters.list()).map((letter, index) => ({ number: index + 1, letter }));
  if (only === undefined) return all;
  const found = all.filter(({ letter }) => letter.function === only);
  const known = [...functions.map(({ name }) => name), COMMANDS, "-"];
  if (found.length === 0 && !known.includes(only))
    throw new UsageError(`There is no function "${only}"; choose from ${known.join(", ")}.`);
  return found;
}

async function pick(
  letters: Letters,
  wanted: string | undefined,
  options: LetterOptions,
  functions: Functions,
): Promise<readonly DeadLetter[]> {
  if ((wanted === undefined) === (options.all !== true))
    throw new UsageError("Name one dead letter, or say --all.");
  const { describeWorkKey } = await import("../timeline/describe.ts");
  const all = await numbered(letters, options.function, functions);
  const found = all.filter(
    ({ number, letter }) =>
      options.all === true ||
      wanted === String(number) ||
      wanted === letter.key ||
      wanted === describeWorkKey(letter.key),
  );
  if (found.length === 0 && options.all !== true)
    throw new CliError(
      "CLI_NO_DEAD_LETTER",
      `There is no dead letter "${wanted}": \`reveille dead-letters list\` prints them.`,
    );
  return found.map(({ letter }) => letter);
}

/** A refused event that is accepted now must lead where it leads. */
async function routeOf(run: RunFile): Promise<Route> {
  const [{ systemsOfRun }, { functionsOf }, { createRouter }] = await Promise.all([
    import("../ask/run-systems.ts"),
    import("../../systems/declared.ts"),
    import("../../../shared/runner/router.ts"),
  ]);
  const systems = await systemsOfRun(run);
  return createRouter(functionsOf(systems)).route;
}
