const { execFile } = require("node:child_process");
const { dirname } = require("node:path");
const { promisify } = require("node:util");
const { commands, extensions, window, workspace, ViewColumn } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const run = promisify(execFile);
// Only a shell finds a command of npm on Windows; and there it would look in the open folder first.
const shell = process.platform === "win32";
const env = { ...process.env, NoDefaultCurrentDirectoryInExePath: "1" };
let client;

/** Gives a command line of agentform, with the environment of the settings. */
function commandLine(...args) {
  const settings = workspace.getConfiguration("agentform");
  const [command, ...first] = settings.get("command");
  const given = settings.get("environment");
  // A workspace may set it, and a shell would read it.
  const environment = /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(given) ? given : "";
  return {
    command,
    args: [...first, ...args, ...(environment ? ["-e", environment] : [])],
    options: { shell, env },
  };
}

/** Shows the plan of the workspace of the open file beside it. */
async function showPlan() {
  const folder = workspace.workspaceFolders?.[0]?.uri.fsPath;
  const cwd = (await workspaceFolderOf(window.activeTextEditor?.document.uri)) ?? folder;
  const { command, args } = commandLine("plan", "--format", "html");
  try {
    const { stdout } = await run(command, args, { cwd, shell, env, maxBuffer: 256 * 1024 * 1024 });
    const panel = window.createWebviewPanel("agentform.plan", "Plan", ViewColumn.Beside, {
      enableScripts: true,
    });
    panel.webview.html = stdout;
  } catch (cause) {
    window.showErrorMessage(`agentform plan: ${cause.stderr || cause.message}`);
  }
}

async function workspaceFolderOf(uri) {
  const manifests = await workspace.findFiles("**/agentform.yaml", "**/node_modules/**");
  const folders = manifests
    .map(({ fsPath }) => dirname(fsPath))
    .filter((folder) => uri?.fsPath.startsWith(folder));
  return folders.toSorted((a, b) => b.length - a.length)[0];
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
    async (uri) => {
      const { command, args } = commandLine("schema", uri.split("/").at(-1));
      return (await run(command, args, { shell, env })).stdout;
    },
  );
}

exports.activate = async ({ subscriptions }) => {
  subscriptions.push(commands.registerCommand("agentform.showPlan", showPlan));
  const documentSelector = [
    { scheme: "file", language: "yaml" },
    { scheme: "file", language: "markdown" },
  ];
  client = new LanguageClient("agentform", commandLine("language-server"), { documentSelector });
  await client.start();
  await contributeSchemas();
};

exports.deactivate = () => client?.stop();
