// Publishes and consumes until it is killed. Arguments: the bus file, the journal, its own number.
import { appendFileSync } from "node:fs";
import { openEmbeddedBus } from "../../shared/bus/embedded/index.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { changed, done, route } from "./fixture.ts";

const [file, journal, number] = process.argv.slice(2);
if (file === undefined || journal === undefined || number === undefined)
  throw new Error("usage: crash-child.ts FILE JOURNAL NUMBER");
const say = (line: string): void => appendFileSync(journal, `${line}\n`);

const bus = openEmbeddedBus({
  file,
  route,
  clock: systemClock,
  pollMilliseconds: 20,
  history: { maximumAgeMilliseconds: 3_600_000, maximumRuns: 1_000_000 },
});
bus.consume({ parallel: 4 }, async (lease) => {
  const { item: of } = lease;
  say(`begin ${of.key} ${number}`);
  await new Promise((resolve) => setTimeout(resolve, 2));
  // The history is written behind; what was heard is said here.
  say(`end ${of.key} ${number} ${of.causes.length} ${of.causes.map(({ eventId }) => eventId).join(" ")}`);
  return done(of);
});
say(`ready ${number}`);
for (let i = 0; ; i++) {
  const ids = [0, 1, 2].map((part) => `${number}-${i}-${part}`);
  await bus.publish(ids.map((id, part) => changed(`key-${(i + part) % 7}`, { id })));
  for (const id of ids) say(`published ${id}`);
  await new Promise((resolve) => setTimeout(resolve, 1));
}
