#!/usr/bin/env node
import { keepCompiledCode } from "./compiled-code.ts";

keepCompiledCode();
// What is imported before this line is compiled anew at each start.
const { run } = await import("./program.ts");

// `reveille logs | head` ends the pipe early: that is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

process.exitCode = await run(process.argv.slice(2));
