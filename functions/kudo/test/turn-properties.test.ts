import { turnProperties } from "./turn-properties.ts";

turnProperties(400);
