import { expect, test } from "vitest";
import { documentText } from "../harness/disk-workspace.js";
import { documents, openDesk } from "../cli/desk.js";

async function validateAgent(spec: object): Promise<string> {
  const { run } = await openDesk({
    ...documents,
    "agents/x.yaml": documentText("Agent", "x", { name: "X", ...spec }),
  });
  const { out, err } = await run("validate");
  return out + err;
}

test.each([
  ["model", "${{ vars.MODEL }}", "${var:MODEL}"],
  ["model", "${{ model }}", "${var:model}"],
  ["agent_role", "${{ secrets.ROLE }}", "${env:ROLE}"],
  ["provider_id", "a-${{ github.event.number }}", "a-${var:number}"],
])("%s: %s of GitHub Actions is recognised, with what to write", async (field, value, meant) => {
  const text = await validateAgent({ [field]: value });
  expect(text).toContain("is of GitHub Actions");
  expect(text).toContain(`hint: write \`${meant}\``);
});

test("in braces, YAML does not read it, and the message says whose it is", async () => {
  const { run } = await openDesk({
    ...documents,
    "agents/x.yaml":
      "apiVersion: agentform/v1\nkind: Agent\nmetadata: {name: x}\nspec: {name: X, model: ${{ vars.M }}}\n",
  });
  expect((await run("validate")).out).toContain("error[yaml-syntax]: `${{ … }}` is of GitHub Actions");
});

test.each(["Costs ${{ amount }} a month.", "${{ secrets.X }} is how GitHub names it", "$${{ vars.X }}"])(
  "in a prompt it is the service's own: %s",
  async (prompt) => {
    expect(await validateAgent({ system_prompt: prompt })).not.toContain("GitHub Actions");
  },
);

test("in an address of the service it is refused with what to do", async () => {
  const { run } = await openDesk({
    ...documents,
    "agentform.yaml":
      'apiVersion: agentform/v1\nkind: Workspace\nmetadata: {name: desk}\nspec:\n  service: {base_url: "${{ vars.URL }}"}\n',
  });
  expect((await run("validate")).out).toContain("hint: write the URL itself");
});
