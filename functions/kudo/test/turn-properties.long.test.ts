import { turnProperties } from "./turn-properties.ts";

turnProperties(Number(process.env.RUNS ?? 2_000));
