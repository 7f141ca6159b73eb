import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { render, TemplateError, type TemplateValues } from "./template.ts";

const values: TemplateValues = {
  ReleaseImage: "reg.example/rel@sha256:aa",
  ClusterProfile: "edge",
  Images: { "web-ui": "reg.example/ui:1", web: "reg.example/web:1" },
};

function rows(title: string, table: Readonly<Record<string, string>>): void {
  describe(title, () => {
    for (const [template, text] of Object.entries(table))
      test(template, () => assert.deepEqual(render(template, values), { text }));
  });
}

rows("fields and strings", {
  "no action }} at all": "no action }} at all",
  "image: '{{.ReleaseImage}}'": "image: 'reg.example/rel@sha256:aa'",
  "{{ .ClusterProfile }}{{.ClusterProfile}}": "edgeedge",
  '{{index .Images "web-ui"}} {{ .Images.web }} {{ index (.Images) `web` }}':
    "reg.example/ui:1 reg.example/web:1 reg.example/web:1",
  '{{ "{{ $labels.name }}" }}': "{{ $labels.name }}",
  '{{ "say \\"}}\\"" }}!': 'say "}}"!',
  "{{ `raw {{ }} \\n` }}": "raw {{ }} \\n",
});

rows("white space and comments", {
  "a  {{- .ClusterProfile -}}  b": "aedgeb",
  'a{{/* {{ not }} read "*/}}b': "ab",
  "a {{- /* c */ -}} b": "ab",
});

rows("conditions", {
  '{{if eq .ClusterProfile "edge"}}A{{else}}B{{end}}': "A",
  '{{if ne .ClusterProfile "edge"}}A{{else if not (eq .ClusterProfile `x` "edge")}}B{{else}}C{{end}}': "C",
  '{{if and .ReleaseImage (or false .Images)}}A{{if ""}}B{{end}}{{end}}': "A",
  '{{.ClusterProfile | eq "edge"}}': "true",
  "{{if false}}{{.Future}}{{end}}": "",
});

describe("a field that is unknown", () => {
  for (const [template, unknownField] of Object.entries({
    "{{.Future}}": ".Future",
    "{{if .Future}}{{end}}": ".Future",
    "{{.ReleaseImage.Digest}}": ".ReleaseImage.Digest",
    "{{.Images.web.Digest}}": ".Images.web.Digest",
    "{{.toString}}": ".toString",
  }))
    test(template, () => assert.deepEqual(render(template, values), { unknownField }));
});

describe("what cannot be rendered names its line", () => {
  for (const [template, message] of Object.entries({
    "\n{{ .ReleaseImage": /^line 2: an action is not closed$/,
    "{{}}": /^line 1: an action must hold one value$/,
    '{{.ReleaseImage "x"}}': /^line 1: an action must hold one value$/,
    "{{ $x }}": /^line 1: cannot read \{\{ \$x \}\}$/,
    "\n\n{{range .Images}}{{end}}": /^line 3: "range" is more than/,
    "{{printf `x`}}": /^line 1: "printf" is none of index, eq/,
    "{{if true}}": /^line 1: an if has no end$/,
    "{{end}}": /^line 1: an end without an if$/,
    "{{if true}}{{else}}{{else}}{{end}}": /^line 1: an else after the else$/,
    "{{(.ReleaseImage}}": /^line 1: a parenthesis is not closed$/,
    "{{.ReleaseImage)}}": /^line 1: "\)" is one parenthesis too many$/,
    '{{index .Images "none"}}': /^line 1: image-references has no tag "none"$/,
    '{{index .ReleaseImage "none"}}': /^line 1: index takes \.Images and a tag$/,
    "{{.Images}}": /^line 1: name one of the images$/,
    'a\n{{ "\\q" }}': /^line 2: cannot read the string/,
  }))
    test(template, () =>
      assert.throws(
        () => render(template, values),
        (error) => error instanceof TemplateError && message.test(error.message),
      ),
    );
});
