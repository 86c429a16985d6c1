/** The files that every new workspace has. */
export const commonFiles = {
  "credentials/provider.yaml": `apiVersion: agentform/v1
kind: Credential
metadata:
  name: provider
spec:
  name: Model provider
  provider_id: OpenAI
  credentials:
    api_key: \${env:PROVIDER_API_KEY@1}     # add one to the revision when the key was rotated
`,
  ".gitignore": `.agentform/
`,
};
