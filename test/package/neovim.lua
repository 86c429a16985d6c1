-- Drives the language server through Neovim's own client, as a person does, and writes what is seen as JSON.
local server, root, result = vim.env.SERVER, vim.env.ROOT, vim.env.RESULT
local seen = {}

local function until_true(what, check)
  if not vim.wait(600000, check, 20) then error("waited in vain for " .. what) end
end

local client = vim.lsp.start_client({ cmd = { server, "language-server", "--stdio" }, root_dir = root })

local function open(file)
  vim.cmd("edit " .. root .. "/" .. file)
  vim.lsp.buf_attach_client(0, client)
  until_true("the client", function() return vim.lsp.buf_is_attached(0, client) end)
end

local function cursor_on(text, further)
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  if vim.fn.search("\\V" .. text, "c") == 0 then error("there is no " .. text) end
  if further then vim.cmd("normal! " .. further .. "l") end
end

local function name(buffer)
  return vim.api.nvim_buf_get_name(buffer or 0):sub(#root + 2)
end

local function codes()
  local found = {}
  for _, each in ipairs(vim.diagnostic.get(0)) do
    table.insert(found, (each.user_data and each.user_data.lsp.code or each.code or "") .. " " .. each.message)
  end
  return found
end

local function run()
  open("agents/support.yaml")
  until_true("the server", function()
    local it = vim.lsp.get_client_by_id(client)
    return it ~= nil and it.server_capabilities ~= nil and it.initialized
  end)

  -- Diagnostics of what is typed and not saved, and none once it is taken back.
  cursor_on("policy:strict")
  vim.cmd("normal! fsx")
  until_true("a diagnostic", function() return #vim.diagnostic.get(0) > 0 end)
  seen.diagnostics = codes()
  vim.cmd("undo")
  until_true("no diagnostic", function() return #vim.diagnostic.get(0) == 0 end)

  cursor_on("policy:strict", 8)
  vim.lsp.buf.hover()
  until_true("the window with the hover", function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= "" then
        local buffer = vim.api.nvim_win_get_buf(window)
        seen.hover = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")
        vim.api.nvim_win_close(window, true)
        return true
      end
    end
    return false
  end)

  vim.lsp.buf.definition()
  until_true("the definition", function() return name() == "policies/strict.yaml" end)
  seen.definition = { name(), vim.api.nvim_get_current_line() }
  vim.lsp.buf_attach_client(0, client)

  vim.lsp.buf.references()
  until_true("the references", function() return #vim.fn.getqflist() > 0 end)
  seen.references = {}
  for _, each in ipairs(vim.fn.getqflist()) do
    table.insert(seen.references, name(each.bufnr) .. ":" .. each.lnum)
  end
  vim.cmd("cclose")

  open("agents/support.yaml")
  cursor_on("top_p:")
  vim.cmd("normal! Otop_k: ${policy:")
  vim.cmd("normal! $")
  local params = vim.lsp.util.make_position_params()
  params.position.character = #vim.api.nvim_get_current_line()
  local answers = vim.lsp.buf_request_sync(0, "textDocument/completion", params, 600000)
  seen.completion = {}
  local items = vim.lsp.util.text_document_completion_list_to_complete_items(answers[client].result, "")
  for _, item in ipairs(items) do table.insert(seen.completion, item.word) end
  vim.cmd("undo")

  cursor_on("policy:strict", 8)
  vim.lsp.buf.rename("severe")
  until_true("the rename", function()
    return vim.fn.search("policy:severe", "nw") > 0
  end)
  vim.cmd("wall")
end

local is_fine, problem = pcall(run)
if not is_fine then seen.problem = tostring(problem) end
vim.fn.writefile({ vim.json.encode(seen) }, result)
vim.lsp.stop_client(client)
vim.wait(5000, function() return vim.lsp.get_client_by_id(client) == nil end, 20)
vim.cmd("qall!")
