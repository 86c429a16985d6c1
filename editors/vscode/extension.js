const { execFile } = require("node:child_process");
const { promisify } = require("node:util");
const { commands, extensions, window, workspace, ViewColumn } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { commandLine, folderOf } = require("./command-line.js");

const run = promisify(execFile);
// Only a shell finds a command of npm on Windows; and there it would look in the open folder first.
const shell = process.platform === "win32";
const env = { ...process.env, NoDefaultCurrentDirectoryInExePath: "1" };
let client;

/** Gives a command line of agentform, as the settings have it. */
function ownCommand(...args) {
  const settings = workspace.getConfiguration("agentform");
  return commandLine(
    { command: settings.get("command"), environment: settings.get("environment") },
    args,
    shell,
  );
}

/** Runs agentform in the workspace that a file belongs to; gives what it prints. */
async function output(uri, ...args) {
  const { command, args: all } = ownCommand(...args);
  const manifests = await workspace.findFiles("**/agentform.yaml", "**/node_modules/**");
  const folder =
    uri &&
    folderOf(
      uri.fsPath,
      manifests.map(({ fsPath }) => fsPath),
    );
  const cwd = folder ?? workspace.workspaceFolders?.[0]?.uri.fsPath;
  return (await run(command, all, { cwd, shell, env, maxBuffer: 256 * 1024 * 1024 })).stdout;
}

/** Shows the plan of the workspace of the open file beside it. */
async function showPlan() {
  try {
    const html = await output(window.activeTextEditor?.document.uri, "plan", "--format", "html");
    const panel = window.createWebviewPanel("agentform.plan", "Plan", ViewColumn.Beside, {
      enableScripts: true,
    });
    panel.webview.html = html;
  } catch (cause) {
    window.showErrorMessage(`agentform plan: ${cause.stderr || cause.message}`);
  }
}

/** Tells the YAML extension, if it is there, which schema a document has; agentform itself prints it. */
async function contributeSchemas() {
  const yaml = await extensions.getExtension("redhat.vscode-yaml")?.activate();
  yaml?.registerContributor(
    "agentform",
    (uri) => {
      const text = workspace.textDocuments.find((each) => each.uri.toString() === uri)?.getText() ?? "";
      const kind = /^apiVersion: *["']?agentform\/v1\b/m.test(text) && /^kind: *["']?(\w+)/m.exec(text)?.[1];
      return kind ? `agentform://schema/${kind.toLowerCase()}` : undefined;
    },
    (uri) => output(undefined, "schema", uri.split("/").at(-1)),
  );
}

exports.activate = async ({ subscriptions }) => {
  subscriptions.push(commands.registerCommand("agentform.showPlan", showPlan));
  const documentSelector = [
    { scheme: "file", language: "yaml" },
    { scheme: "file", language: "markdown" },
  ];
  const server = { ...ownCommand("language-server"), options: { shell, env } };
  client = new LanguageClient("agentform", server, { documentSelector });
  await client.start();
  await contributeSchemas();
};

exports.deactivate = () => client?.stop();
