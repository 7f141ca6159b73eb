import { startWatchdog } from "../../infra/hosts/watchdog.ts";

/** Stands still, or lives on, under a watchdog of half a second. */
const [how = ""] = process.argv.slice(2);
startWatchdog(500);
console.log("begun");
setInterval(() => console.log("lives"), 100);
if (how === "still")
  setTimeout(() => {
    for (;;);
  }, 200);
