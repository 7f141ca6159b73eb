// Asks the oracle the recorded questions anew and writes its answers: node test/templates/record.ts. A new question is a new line
// of recorded.jsonl that holds nothing but `{"question":{"template":"…","name":"a.yaml"}}`.
import { writeFileSync } from "node:fs";
import { ask } from "./oracle.ts";
import { asked, RECORDED, recorded } from "./recorded.ts";

const lines = recorded();
const questions = lines.map(asked);
const [sigs, v2] = [ask(questions, "sigs"), ask(questions, "v2")];
const text = lines.map(({ question }, index) => {
  const [answer, other] = [sigs, v2].map((answers) => {
    const { id: _, error: __, ...rest } = answers[index] ?? { id: index };
    return rest;
  });
  const same = JSON.stringify(answer) === JSON.stringify(other);
  return `${JSON.stringify({ question, answer, ...(!same && { v2: other }) })}\n`;
});
writeFileSync(RECORDED, text.join(""));
