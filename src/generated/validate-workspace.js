// Generated from schemas/workspace.schema.json; do not edit.
var __getOwnPropNames = Object.getOwnPropertyNames;
var __commonJS = (cb, mod) => function __run() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};

var require_ucs2length = __commonJS({
  "ajv/dist/runtime/ucs2length.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: true });
    function ucs2length(str) {
      const len = str.length;
      let length = 0;
      let pos = 0;
      let value;
      while (pos < len) {
        length++;
        value = str.charCodeAt(pos++);
        if (value >= 55296 && value <= 56319 && pos < len) {
          value = str.charCodeAt(pos);
          if ((value & 64512) === 56320)
            pos++;
        }
      }
      return length;
    }
    exports.default = ucs2length;
  }
});

var validate = validate10;
var schema11 = { "type": "object", "required": ["apiVersion", "kind", "metadata", "spec"], "additionalProperties": false, "properties": { "apiVersion": { "const": "agentform/v1" }, "kind": { "const": "Workspace" }, "metadata": { "type": "object", "required": ["name"], "additionalProperties": false, "properties": { "name": { "type": "string", "pattern": "^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$" } } }, "spec": { "type": "object", "additionalProperties": false, "properties": { "service": { "allOf": [{ "$ref": "#/definitions/service" }] }, "include": { "type": "array", "maxItems": 1e3, "items": { "type": "string", "minLength": 1 } }, "variables": { "type": "object", "additionalProperties": { "$ref": "#/definitions/variable" } }, "environments": { "type": "object", "propertyNames": { "pattern": "^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$" }, "additionalProperties": { "$ref": "#/definitions/environment" } }, "extra_fields": { "type": "object", "additionalProperties": false, "properties": { "policy": { "type": "array", "items": { "type": "string", "minLength": 1 } }, "toolset": { "type": "array", "items": { "type": "string", "minLength": 1 } }, "credential": { "type": "array", "items": { "type": "string", "minLength": 1 } }, "agent": { "type": "array", "items": { "type": "string", "minLength": 1 } } } }, "limits": { "type": "object", "additionalProperties": false, "properties": { "orphans": { "type": "integer", "minimum": 0 } } }, "lock": { "type": "object", "required": ["store"], "additionalProperties": false, "properties": { "store": { "enum": ["file", "git"] }, "remote": { "type": "string", "minLength": 1 }, "ref": { "type": "string", "minLength": 1 } }, "if": { "properties": { "store": { "const": "file" } } }, "then": { "properties": { "remote": false, "ref": false } }, "else": { "properties": { "remote": { "type": "string", "pattern": "^[A-Za-z0-9_][A-Za-z0-9._/-]*$" }, "ref": { "type": "string", "pattern": "^refs/agentform(/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$" } } } } } } }, "definitions": { "service": { "type": "object", "additionalProperties": false, "properties": { "base_url": { "type": "string", "minLength": 1 }, "rai_base_url": { "type": "string", "minLength": 1 }, "api_key": { "type": "string" }, "field_names": { "type": "object", "additionalProperties": { "type": "string", "minLength": 1 } }, "tool_ids": { "const": "document_order" }, "id_pointers": { "type": "object", "additionalProperties": false, "properties": { "policy": { "type": "string", "pattern": "^(/([^~/]|~[01])*)*$" }, "tool": { "type": "string", "pattern": "^(/([^~/]|~[01])*)*$" }, "toolset": { "type": "string", "pattern": "^(/([^~/]|~[01])*)*$" }, "credential": { "type": "string", "pattern": "^(/([^~/]|~[01])*)*$" }, "agent": { "type": "string", "pattern": "^(/([^~/]|~[01])*)*$" } } }, "rejected_statuses": { "type": "array", "uniqueItems": true, "items": { "type": "integer", "minimum": 500, "maximum": 599 } } } }, "environment": { "type": "object", "additionalProperties": false, "properties": { "service": { "allOf": [{ "$ref": "#/definitions/service" }] }, "variables": { "type": "object", "additionalProperties": { "type": ["string", "number", "boolean"] } } } }, "variable": { "type": ["string", "number", "boolean", "object"], "additionalProperties": false, "properties": { "description": { "type": "string" }, "default": { "type": ["string", "number", "boolean"] } } } } };
var schema13 = { "type": ["string", "number", "boolean", "object"], "additionalProperties": false, "properties": { "description": { "type": "string" }, "default": { "type": ["string", "number", "boolean"] } } };
var pattern0 = new RegExp("^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$", "u");
var pattern1 = new RegExp("^(/([^~/]|~[01])*)*$", "u");
var pattern6 = new RegExp("^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$", "u");
var pattern12 = new RegExp("^[A-Za-z0-9_][A-Za-z0-9._/-]*$", "u");
var pattern13 = new RegExp("^refs/agentform(/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$", "u");
var func2 = require_ucs2length().default;
var schema14 = { "type": "object", "additionalProperties": false, "properties": { "service": { "allOf": [{ "$ref": "#/definitions/service" }] }, "variables": { "type": "object", "additionalProperties": { "type": ["string", "number", "boolean"] } } } };
function validate11(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    for (const key0 in data) {
      if (!(key0 === "service" || key0 === "variables")) {
        const err0 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 } };
        if (vErrors === null) {
          vErrors = [err0];
        } else {
          vErrors.push(err0);
        }
        errors++;
      }
    }
    if (data.service !== void 0) {
      let data0 = data.service;
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        for (const key1 in data0) {
          if (!(key1 === "base_url" || key1 === "rai_base_url" || key1 === "api_key" || key1 === "field_names" || key1 === "tool_ids" || key1 === "id_pointers" || key1 === "rejected_statuses")) {
            const err1 = { instancePath: instancePath + "/service", schemaPath: "#/definitions/service/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 } };
            if (vErrors === null) {
              vErrors = [err1];
            } else {
              vErrors.push(err1);
            }
            errors++;
          }
        }
        if (data0.base_url !== void 0) {
          let data1 = data0.base_url;
          if (typeof data1 === "string") {
            if (func2(data1) < 1) {
              const err2 = { instancePath: instancePath + "/service/base_url", schemaPath: "#/definitions/service/properties/base_url/minLength", keyword: "minLength", params: { limit: 1 } };
              if (vErrors === null) {
                vErrors = [err2];
              } else {
                vErrors.push(err2);
              }
              errors++;
            }
          } else {
            const err3 = { instancePath: instancePath + "/service/base_url", schemaPath: "#/definitions/service/properties/base_url/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err3];
            } else {
              vErrors.push(err3);
            }
            errors++;
          }
        }
        if (data0.rai_base_url !== void 0) {
          let data2 = data0.rai_base_url;
          if (typeof data2 === "string") {
            if (func2(data2) < 1) {
              const err4 = { instancePath: instancePath + "/service/rai_base_url", schemaPath: "#/definitions/service/properties/rai_base_url/minLength", keyword: "minLength", params: { limit: 1 } };
              if (vErrors === null) {
                vErrors = [err4];
              } else {
                vErrors.push(err4);
              }
              errors++;
            }
          } else {
            const err5 = { instancePath: instancePath + "/service/rai_base_url", schemaPath: "#/definitions/service/properties/rai_base_url/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err5];
            } else {
              vErrors.push(err5);
            }
            errors++;
          }
        }
        if (data0.api_key !== void 0) {
          if (typeof data0.api_key !== "string") {
            const err6 = { instancePath: instancePath + "/service/api_key", schemaPath: "#/definitions/service/properties/api_key/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err6];
            } else {
              vErrors.push(err6);
            }
            errors++;
          }
        }
        if (data0.field_names !== void 0) {
          let data4 = data0.field_names;
          if (data4 && typeof data4 == "object" && !Array.isArray(data4)) {
            for (const key2 in data4) {
              let data5 = data4[key2];
              if (typeof data5 === "string") {
                if (func2(data5) < 1) {
                  const err7 = { instancePath: instancePath + "/service/field_names/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/definitions/service/properties/field_names/additionalProperties/minLength", keyword: "minLength", params: { limit: 1 } };
                  if (vErrors === null) {
                    vErrors = [err7];
                  } else {
                    vErrors.push(err7);
                  }
                  errors++;
                }
              } else {
                const err8 = { instancePath: instancePath + "/service/field_names/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/definitions/service/properties/field_names/additionalProperties/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err8];
                } else {
                  vErrors.push(err8);
                }
                errors++;
              }
            }
          } else {
            const err9 = { instancePath: instancePath + "/service/field_names", schemaPath: "#/definitions/service/properties/field_names/type", keyword: "type", params: { type: "object" } };
            if (vErrors === null) {
              vErrors = [err9];
            } else {
              vErrors.push(err9);
            }
            errors++;
          }
        }
        if (data0.tool_ids !== void 0) {
          if ("document_order" !== data0.tool_ids) {
            const err10 = { instancePath: instancePath + "/service/tool_ids", schemaPath: "#/definitions/service/properties/tool_ids/const", keyword: "const", params: { allowedValue: "document_order" } };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
        if (data0.id_pointers !== void 0) {
          let data7 = data0.id_pointers;
          if (data7 && typeof data7 == "object" && !Array.isArray(data7)) {
            for (const key3 in data7) {
              if (!(key3 === "policy" || key3 === "tool" || key3 === "toolset" || key3 === "credential" || key3 === "agent")) {
                const err11 = { instancePath: instancePath + "/service/id_pointers", schemaPath: "#/definitions/service/properties/id_pointers/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key3 } };
                if (vErrors === null) {
                  vErrors = [err11];
                } else {
                  vErrors.push(err11);
                }
                errors++;
              }
            }
            if (data7.policy !== void 0) {
              let data8 = data7.policy;
              if (typeof data8 === "string") {
                if (!pattern1.test(data8)) {
                  const err12 = { instancePath: instancePath + "/service/id_pointers/policy", schemaPath: "#/definitions/service/properties/id_pointers/properties/policy/pattern", keyword: "pattern", params: { pattern: "^(/([^~/]|~[01])*)*$" } };
                  if (vErrors === null) {
                    vErrors = [err12];
                  } else {
                    vErrors.push(err12);
                  }
                  errors++;
                }
              } else {
                const err13 = { instancePath: instancePath + "/service/id_pointers/policy", schemaPath: "#/definitions/service/properties/id_pointers/properties/policy/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err13];
                } else {
                  vErrors.push(err13);
                }
                errors++;
              }
            }
            if (data7.tool !== void 0) {
              let data9 = data7.tool;
              if (typeof data9 === "string") {
                if (!pattern1.test(data9)) {
                  const err14 = { instancePath: instancePath + "/service/id_pointers/tool", schemaPath: "#/definitions/service/properties/id_pointers/properties/tool/pattern", keyword: "pattern", params: { pattern: "^(/([^~/]|~[01])*)*$" } };
                  if (vErrors === null) {
                    vErrors = [err14];
                  } else {
                    vErrors.push(err14);
                  }
                  errors++;
                }
              } else {
                const err15 = { instancePath: instancePath + "/service/id_pointers/tool", schemaPath: "#/definitions/service/properties/id_pointers/properties/tool/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err15];
                } else {
                  vErrors.push(err15);
                }
                errors++;
              }
            }
            if (data7.toolset !== void 0) {
              let data10 = data7.toolset;
              if (typeof data10 === "string") {
                if (!pattern1.test(data10)) {
                  const err16 = { instancePath: instancePath + "/service/id_pointers/toolset", schemaPath: "#/definitions/service/properties/id_pointers/properties/toolset/pattern", keyword: "pattern", params: { pattern: "^(/([^~/]|~[01])*)*$" } };
                  if (vErrors === null) {
                    vErrors = [err16];
                  } else {
                    vErrors.push(err16);
                  }
                  errors++;
                }
              } else {
                const err17 = { instancePath: instancePath + "/service/id_pointers/toolset", schemaPath: "#/definitions/service/properties/id_pointers/properties/toolset/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err17];
                } else {
                  vErrors.push(err17);
                }
                errors++;
              }
            }
            if (data7.credential !== void 0) {
              let data11 = data7.credential;
              if (typeof data11 === "string") {
                if (!pattern1.test(data11)) {
                  const err18 = { instancePath: instancePath + "/service/id_pointers/credential", schemaPath: "#/definitions/service/properties/id_pointers/properties/credential/pattern", keyword: "pattern", params: { pattern: "^(/([^~/]|~[01])*)*$" } };
                  if (vErrors === null) {
                    vErrors = [err18];
                  } else {
                    vErrors.push(err18);
                  }
                  errors++;
                }
              } else {
                const err19 = { instancePath: instancePath + "/service/id_pointers/credential", schemaPath: "#/definitions/service/properties/id_pointers/properties/credential/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err19];
                } else {
                  vErrors.push(err19);
                }
                errors++;
              }
            }
            if (data7.agent !== void 0) {
              let data12 = data7.agent;
              if (typeof data12 === "string") {
                if (!pattern1.test(data12)) {
                  const err20 = { instancePath: instancePath + "/service/id_pointers/agent", schemaPath: "#/definitions/service/properties/id_pointers/properties/agent/pattern", keyword: "pattern", params: { pattern: "^(/([^~/]|~[01])*)*$" } };
                  if (vErrors === null) {
                    vErrors = [err20];
                  } else {
                    vErrors.push(err20);
                  }
                  errors++;
                }
              } else {
                const err21 = { instancePath: instancePath + "/service/id_pointers/agent", schemaPath: "#/definitions/service/properties/id_pointers/properties/agent/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err21];
                } else {
                  vErrors.push(err21);
                }
                errors++;
              }
            }
          } else {
            const err22 = { instancePath: instancePath + "/service/id_pointers", schemaPath: "#/definitions/service/properties/id_pointers/type", keyword: "type", params: { type: "object" } };
            if (vErrors === null) {
              vErrors = [err22];
            } else {
              vErrors.push(err22);
            }
            errors++;
          }
        }
        if (data0.rejected_statuses !== void 0) {
          let data13 = data0.rejected_statuses;
          if (Array.isArray(data13)) {
            const len0 = data13.length;
            for (let i0 = 0; i0 < len0; i0++) {
              let data14 = data13[i0];
              if (!(typeof data14 == "number" && (!(data14 % 1) && !isNaN(data14)) && isFinite(data14))) {
                const err23 = { instancePath: instancePath + "/service/rejected_statuses/" + i0, schemaPath: "#/definitions/service/properties/rejected_statuses/items/type", keyword: "type", params: { type: "integer" } };
                if (vErrors === null) {
                  vErrors = [err23];
                } else {
                  vErrors.push(err23);
                }
                errors++;
              }
              if (typeof data14 == "number" && isFinite(data14)) {
                if (data14 > 599 || isNaN(data14)) {
                  const err24 = { instancePath: instancePath + "/service/rejected_statuses/" + i0, schemaPath: "#/definitions/service/properties/rejected_statuses/items/maximum", keyword: "maximum", params: { comparison: "<=", limit: 599 } };
                  if (vErrors === null) {
                    vErrors = [err24];
                  } else {
                    vErrors.push(err24);
                  }
                  errors++;
                }
                if (data14 < 500 || isNaN(data14)) {
                  const err25 = { instancePath: instancePath + "/service/rejected_statuses/" + i0, schemaPath: "#/definitions/service/properties/rejected_statuses/items/minimum", keyword: "minimum", params: { comparison: ">=", limit: 500 } };
                  if (vErrors === null) {
                    vErrors = [err25];
                  } else {
                    vErrors.push(err25);
                  }
                  errors++;
                }
              }
            }
            let i1 = data13.length;
            let j0;
            if (i1 > 1) {
              const indices0 = {};
              for (; i1--; ) {
                let item0 = data13[i1];
                if (!(typeof item0 == "number" && (!(item0 % 1) && !isNaN(item0)) && isFinite(item0))) {
                  continue;
                }
                if (typeof indices0[item0] == "number") {
                  j0 = indices0[item0];
                  const err26 = { instancePath: instancePath + "/service/rejected_statuses", schemaPath: "#/definitions/service/properties/rejected_statuses/uniqueItems", keyword: "uniqueItems", params: { i: i1, j: j0 } };
                  if (vErrors === null) {
                    vErrors = [err26];
                  } else {
                    vErrors.push(err26);
                  }
                  errors++;
                  break;
                }
                indices0[item0] = i1;
              }
            }
          } else {
            const err27 = { instancePath: instancePath + "/service/rejected_statuses", schemaPath: "#/definitions/service/properties/rejected_statuses/type", keyword: "type", params: { type: "array" } };
            if (vErrors === null) {
              vErrors = [err27];
            } else {
              vErrors.push(err27);
            }
            errors++;
          }
        }
      } else {
        const err28 = { instancePath: instancePath + "/service", schemaPath: "#/definitions/service/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err28];
        } else {
          vErrors.push(err28);
        }
        errors++;
      }
    }
    if (data.variables !== void 0) {
      let data15 = data.variables;
      if (data15 && typeof data15 == "object" && !Array.isArray(data15)) {
        for (const key4 in data15) {
          let data16 = data15[key4];
          if (typeof data16 !== "string" && !(typeof data16 == "number" && isFinite(data16)) && typeof data16 !== "boolean") {
            const err29 = { instancePath: instancePath + "/variables/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/variables/additionalProperties/type", keyword: "type", params: { type: schema14.properties.variables.additionalProperties.type } };
            if (vErrors === null) {
              vErrors = [err29];
            } else {
              vErrors.push(err29);
            }
            errors++;
          }
        }
      } else {
        const err30 = { instancePath: instancePath + "/variables", schemaPath: "#/properties/variables/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err30];
        } else {
          vErrors.push(err30);
        }
        errors++;
      }
    }
  } else {
    const err31 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    if (vErrors === null) {
      vErrors = [err31];
    } else {
      vErrors.push(err31);
    }
    errors++;
  }
  validate11.errors = vErrors;
  return errors === 0;
}
function validate10(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.apiVersion === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "apiVersion" } };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.kind === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "kind" } };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.metadata === void 0) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "metadata" } };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.spec === void 0) {
      const err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "spec" } };
      if (vErrors === null) {
        vErrors = [err3];
      } else {
        vErrors.push(err3);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!(key0 === "apiVersion" || key0 === "kind" || key0 === "metadata" || key0 === "spec")) {
        const err4 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 } };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.apiVersion !== void 0) {
      if ("agentform/v1" !== data.apiVersion) {
        const err5 = { instancePath: instancePath + "/apiVersion", schemaPath: "#/properties/apiVersion/const", keyword: "const", params: { allowedValue: "agentform/v1" } };
        if (vErrors === null) {
          vErrors = [err5];
        } else {
          vErrors.push(err5);
        }
        errors++;
      }
    }
    if (data.kind !== void 0) {
      if ("Workspace" !== data.kind) {
        const err6 = { instancePath: instancePath + "/kind", schemaPath: "#/properties/kind/const", keyword: "const", params: { allowedValue: "Workspace" } };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.metadata !== void 0) {
      let data2 = data.metadata;
      if (data2 && typeof data2 == "object" && !Array.isArray(data2)) {
        if (data2.name === void 0) {
          const err7 = { instancePath: instancePath + "/metadata", schemaPath: "#/properties/metadata/required", keyword: "required", params: { missingProperty: "name" } };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key1 in data2) {
          if (!(key1 === "name")) {
            const err8 = { instancePath: instancePath + "/metadata", schemaPath: "#/properties/metadata/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 } };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data2.name !== void 0) {
          let data3 = data2.name;
          if (typeof data3 === "string") {
            if (!pattern0.test(data3)) {
              const err9 = { instancePath: instancePath + "/metadata/name", schemaPath: "#/properties/metadata/properties/name/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$" } };
              if (vErrors === null) {
                vErrors = [err9];
              } else {
                vErrors.push(err9);
              }
              errors++;
            }
          } else {
            const err10 = { instancePath: instancePath + "/metadata/name", schemaPath: "#/properties/metadata/properties/name/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
      } else {
        const err11 = { instancePath: instancePath + "/metadata", schemaPath: "#/properties/metadata/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err11];
        } else {
          vErrors.push(err11);
        }
        errors++;
      }
    }
    if (data.spec !== void 0) {
      let data4 = data.spec;
      if (data4 && typeof data4 == "object" && !Array.isArray(data4)) {
        for (const key2 in data4) {
          if (!(key2 === "service" || key2 === "include" || key2 === "variables" || key2 === "environments" || key2 === "extra_fields" || key2 === "limits" || key2 === "lock")) {
            const err12 = { instancePath: instancePath + "/spec", schemaPath: "#/properties/spec/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 } };
            if (vErrors === null) {
              vErrors = [err12];
            } else {
              vErrors.push(err12);
            }
            errors++;
          }
        }
        if (data4.service !== void 0) {
          let data5 = data4.service;
          if (data5 && typeof data5 == "object" && !Array.isArray(data5)) {
            for (const key3 in data5) {
              if (!(key3 === "base_url" || key3 === "rai_base_url" || key3 === "api_key" || key3 === "field_names" || key3 === "tool_ids" || key3 === "id_pointers" || key3 === "rejected_statuses")) {
                const err13 = { instancePath: instancePath + "/spec/service", schemaPath: "#/definitions/service/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key3 } };
                if (vErrors === null) {
                  vErrors = [err13];
                } else {
                  vErrors.push(err13);
                }
                errors++;
              }
            }
            if (data5.base_url !== void 0) {
              let data6 = data5.base_url;
              if (typeof data6 === "string") {
                if (func2(data6) < 1) {
                  const err14 = { instancePath: instancePath + "/spec/service/base_url", schemaPath: "#/definitions/service/properties/base_url/minLength", keyword: "minLength", params: { limit: 1 } };
                  if (vErrors === null) {
                    vErrors = [err14];
                  } else {
                    vErrors.push(err14);
                  }
                  errors++;
                }
              } else {
                const err15 = { instancePath: instancePath + "/spec/service/base_url", schemaPath: "#/definitions/service/properties/base_url/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err15];
                } else {
                  vErrors.push(err15);
                }
                errors++;
              }
            }
            if (data5.rai_base_url !== void 0) {
              let data7 = data5.rai_base_url;
              if (typeof data7 === "string") {
                if (func2(data7) < 1) {
                  const err16 = { instancePath: instancePath + "/spec/service/rai_base_url", schemaPath: "#/definitions/service/properties/rai_base_url/minLength", keyword: "minLength", params: { limit: 1 } };
                  if (vErrors === null) {
                    vErrors = [err16];
                  } else {
                    vErrors.push(err16);
                  }
                  errors++;
                }
              } else {
                const err17 = { instancePath: instancePath + "/spec/service/rai_base_url", schemaPath: "#/definitions/service/properties/rai_base_url/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err17];
                } else {
                  vErrors.push(err17);
                }
                errors++;
              }
            }
            if (data5.api_key !== void 0) {
              if (typeof data5.api_key !== "string") {
                const err18 = { instancePath: instancePath + "/spec/service/api_key", schemaPath: "#/definitions/service/properties/api_key/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err18];
                } else {
                  vErrors.push(err18);
                }
                errors++;
              }
            }
            if (data5.field_names !== void 0) {
              let data9 = data5.field_names;
              if (data9 && typeof data9 == "object" && !Array.isArray(data9)) {
                for (const key4 in data9) {
                  let data10 = data9[key4];
                  if (typeof data10 === "string") {
                    if (func2(data10) < 1) {
                      const err19 = { instancePath: instancePath + "/spec/service/field_names/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/definitions/service/properties/field_names/additionalProperties/minLength", keyword: "minLength", params: { limit: 1 } };
                      if (vErrors === null) {
                        vErrors = [err19];
                      } else {
                        vErrors.push(err19);
                      }
                      errors++;
                    }
                  } else {
                    const err20 = { instancePath: instancePath + "/spec/service/field_names/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/definitions/service/properties/field_names/additionalProperties/type", keyword: "type", params: { type: "string" } };
                    if (vErrors === null) {
                      vErrors = [err20];
                    } else {
                      vErrors.push(err20);
                    }
                    errors++;
                  }
                }
              } else {
                const err21 = { instancePath: instancePath + "/spec/service/field_names", schemaPath: "#/definitions/service/properties/field_names/type", keyword: "type", params: { type: "object" } };
                if (vErrors === null) {
                  vErrors = [err21];
                } else {
                  vErrors.push(err21);
                }
                errors++;
              }
            }
            if (data5.tool_ids !== void 0) {
              if ("document_order" !== data5.tool_ids) {
                const err22 = { instancePath: instancePath + "/spec/service/tool_ids", schemaPath: "#/definitions/service/properties/tool_ids/const", keyword: "const", params: { allowedValue: "document_order" } };
                if (vErrors === null) {
                  vErrors = [err22];
                } else {
                  vErrors.push(err22);
                }
                errors++;
              }
            }
            if (data5.id_pointers !== void 0) {
              let data12 = data5.id_pointers;
              if (data12 && typeof data12 == "object" && !Array.isArray(data12)) {
                for (const key5 in data12) {
                  if (!(key5 === "policy" || key5 === "tool" || key5 === "toolset" || key5 === "credential" || key5 === "agent")) {
                    const err23 = { instancePath: instancePath + "/spec/service/id_pointers", schemaPath: "#/definitions/service/properties/id_pointers/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key5 } };
                    if (vErrors === null) {
                      vErrors = [err23];
                    } else {
                      vErrors.push(err23);
                    }
                    errors++;
                  }
                }
                if (data12.policy !== void 0) {
                  let data13 = data12.policy;
                  if (typeof data13 === "string") {
                    if (!pattern1.test(data13)) {
                      const err24 = { instancePath: instancePath + "/spec/service/id_pointers/policy", schemaPath: "#/definitions/service/properties/id_pointers/properties/policy/pattern", keyword: "pattern", params: { pattern: "^(/([^~/]|~[01])*)*$" } };
                      if (vErrors === null) {
                        vErrors = [err24];
                      } else {
                        vErrors.push(err24);
                      }
                      errors++;
                    }
                  } else {
                    const err25 = { instancePath: instancePath + "/spec/service/id_pointers/policy", schemaPath: "#/definitions/service/properties/id_pointers/properties/policy/type", keyword: "type", params: { type: "string" } };
                    if (vErrors === null) {
                      vErrors = [err25];
                    } else {
                      vErrors.push(err25);
                    }
                    errors++;
                  }
                }
                if (data12.tool !== void 0) {
                  let data14 = data12.tool;
                  if (typeof data14 === "string") {
                    if (!pattern1.test(data14)) {
                      const err26 = { instancePath: instancePath + "/spec/service/id_pointers/tool", schemaPath: "#/definitions/service/properties/id_pointers/properties/tool/pattern", keyword: "pattern", params: { pattern: "^(/([^~/]|~[01])*)*$" } };
                      if (vErrors === null) {
                        vErrors = [err26];
                      } else {
                        vErrors.push(err26);
                      }
                      errors++;
                    }
                  } else {
                    const err27 = { instancePath: instancePath + "/spec/service/id_pointers/tool", schemaPath: "#/definitions/service/properties/id_pointers/properties/tool/type", keyword: "type", params: { type: "string" } };
                    if (vErrors === null) {
                      vErrors = [err27];
                    } else {
                      vErrors.push(err27);
                    }
                    errors++;
                  }
                }
                if (data12.toolset !== void 0) {
                  let data15 = data12.toolset;
                  if (typeof data15 === "string") {
                    if (!pattern1.test(data15)) {
                      const err28 = { instancePath: instancePath + "/spec/service/id_pointers/toolset", schemaPath: "#/definitions/service/properties/id_pointers/properties/toolset/pattern", keyword: "pattern", params: { pattern: "^(/([^~/]|~[01])*)*$" } };
                      if (vErrors === null) {
                        vErrors = [err28];
                      } else {
                        vErrors.push(err28);
                      }
                      errors++;
                    }
                  } else {
                    const err29 = { instancePath: instancePath + "/spec/service/id_pointers/toolset", schemaPath: "#/definitions/service/properties/id_pointers/properties/toolset/type", keyword: "type", params: { type: "string" } };
                    if (vErrors === null) {
                      vErrors = [err29];
                    } else {
                      vErrors.push(err29);
                    }
                    errors++;
                  }
                }
                if (data12.credential !== void 0) {
                  let data16 = data12.credential;
                  if (typeof data16 === "string") {
                    if (!pattern1.test(data16)) {
                      const err30 = { instancePath: instancePath + "/spec/service/id_pointers/credential", schemaPath: "#/definitions/service/properties/id_pointers/properties/credential/pattern", keyword: "pattern", params: { pattern: "^(/([^~/]|~[01])*)*$" } };
                      if (vErrors === null) {
                        vErrors = [err30];
                      } else {
                        vErrors.push(err30);
                      }
                      errors++;
                    }
                  } else {
                    const err31 = { instancePath: instancePath + "/spec/service/id_pointers/credential", schemaPath: "#/definitions/service/properties/id_pointers/properties/credential/type", keyword: "type", params: { type: "string" } };
                    if (vErrors === null) {
                      vErrors = [err31];
                    } else {
                      vErrors.push(err31);
                    }
                    errors++;
                  }
                }
                if (data12.agent !== void 0) {
                  let data17 = data12.agent;
                  if (typeof data17 === "string") {
                    if (!pattern1.test(data17)) {
                      const err32 = { instancePath: instancePath + "/spec/service/id_pointers/agent", schemaPath: "#/definitions/service/properties/id_pointers/properties/agent/pattern", keyword: "pattern", params: { pattern: "^(/([^~/]|~[01])*)*$" } };
                      if (vErrors === null) {
                        vErrors = [err32];
                      } else {
                        vErrors.push(err32);
                      }
                      errors++;
                    }
                  } else {
                    const err33 = { instancePath: instancePath + "/spec/service/id_pointers/agent", schemaPath: "#/definitions/service/properties/id_pointers/properties/agent/type", keyword: "type", params: { type: "string" } };
                    if (vErrors === null) {
                      vErrors = [err33];
                    } else {
                      vErrors.push(err33);
                    }
                    errors++;
                  }
                }
              } else {
                const err34 = { instancePath: instancePath + "/spec/service/id_pointers", schemaPath: "#/definitions/service/properties/id_pointers/type", keyword: "type", params: { type: "object" } };
                if (vErrors === null) {
                  vErrors = [err34];
                } else {
                  vErrors.push(err34);
                }
                errors++;
              }
            }
            if (data5.rejected_statuses !== void 0) {
              let data18 = data5.rejected_statuses;
              if (Array.isArray(data18)) {
                const len0 = data18.length;
                for (let i0 = 0; i0 < len0; i0++) {
                  let data19 = data18[i0];
                  if (!(typeof data19 == "number" && (!(data19 % 1) && !isNaN(data19)) && isFinite(data19))) {
                    const err35 = { instancePath: instancePath + "/spec/service/rejected_statuses/" + i0, schemaPath: "#/definitions/service/properties/rejected_statuses/items/type", keyword: "type", params: { type: "integer" } };
                    if (vErrors === null) {
                      vErrors = [err35];
                    } else {
                      vErrors.push(err35);
                    }
                    errors++;
                  }
                  if (typeof data19 == "number" && isFinite(data19)) {
                    if (data19 > 599 || isNaN(data19)) {
                      const err36 = { instancePath: instancePath + "/spec/service/rejected_statuses/" + i0, schemaPath: "#/definitions/service/properties/rejected_statuses/items/maximum", keyword: "maximum", params: { comparison: "<=", limit: 599 } };
                      if (vErrors === null) {
                        vErrors = [err36];
                      } else {
                        vErrors.push(err36);
                      }
                      errors++;
                    }
                    if (data19 < 500 || isNaN(data19)) {
                      const err37 = { instancePath: instancePath + "/spec/service/rejected_statuses/" + i0, schemaPath: "#/definitions/service/properties/rejected_statuses/items/minimum", keyword: "minimum", params: { comparison: ">=", limit: 500 } };
                      if (vErrors === null) {
                        vErrors = [err37];
                      } else {
                        vErrors.push(err37);
                      }
                      errors++;
                    }
                  }
                }
                let i1 = data18.length;
                let j0;
                if (i1 > 1) {
                  const indices0 = {};
                  for (; i1--; ) {
                    let item0 = data18[i1];
                    if (!(typeof item0 == "number" && (!(item0 % 1) && !isNaN(item0)) && isFinite(item0))) {
                      continue;
                    }
                    if (typeof indices0[item0] == "number") {
                      j0 = indices0[item0];
                      const err38 = { instancePath: instancePath + "/spec/service/rejected_statuses", schemaPath: "#/definitions/service/properties/rejected_statuses/uniqueItems", keyword: "uniqueItems", params: { i: i1, j: j0 } };
                      if (vErrors === null) {
                        vErrors = [err38];
                      } else {
                        vErrors.push(err38);
                      }
                      errors++;
                      break;
                    }
                    indices0[item0] = i1;
                  }
                }
              } else {
                const err39 = { instancePath: instancePath + "/spec/service/rejected_statuses", schemaPath: "#/definitions/service/properties/rejected_statuses/type", keyword: "type", params: { type: "array" } };
                if (vErrors === null) {
                  vErrors = [err39];
                } else {
                  vErrors.push(err39);
                }
                errors++;
              }
            }
          } else {
            const err40 = { instancePath: instancePath + "/spec/service", schemaPath: "#/definitions/service/type", keyword: "type", params: { type: "object" } };
            if (vErrors === null) {
              vErrors = [err40];
            } else {
              vErrors.push(err40);
            }
            errors++;
          }
        }
        if (data4.include !== void 0) {
          let data20 = data4.include;
          if (Array.isArray(data20)) {
            if (data20.length > 1e3) {
              const err41 = { instancePath: instancePath + "/spec/include", schemaPath: "#/properties/spec/properties/include/maxItems", keyword: "maxItems", params: { limit: 1e3 } };
              if (vErrors === null) {
                vErrors = [err41];
              } else {
                vErrors.push(err41);
              }
              errors++;
            }
            const len1 = data20.length;
            for (let i2 = 0; i2 < len1; i2++) {
              let data21 = data20[i2];
              if (typeof data21 === "string") {
                if (func2(data21) < 1) {
                  const err42 = { instancePath: instancePath + "/spec/include/" + i2, schemaPath: "#/properties/spec/properties/include/items/minLength", keyword: "minLength", params: { limit: 1 } };
                  if (vErrors === null) {
                    vErrors = [err42];
                  } else {
                    vErrors.push(err42);
                  }
                  errors++;
                }
              } else {
                const err43 = { instancePath: instancePath + "/spec/include/" + i2, schemaPath: "#/properties/spec/properties/include/items/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err43];
                } else {
                  vErrors.push(err43);
                }
                errors++;
              }
            }
          } else {
            const err44 = { instancePath: instancePath + "/spec/include", schemaPath: "#/properties/spec/properties/include/type", keyword: "type", params: { type: "array" } };
            if (vErrors === null) {
              vErrors = [err44];
            } else {
              vErrors.push(err44);
            }
            errors++;
          }
        }
        if (data4.variables !== void 0) {
          let data22 = data4.variables;
          if (data22 && typeof data22 == "object" && !Array.isArray(data22)) {
            for (const key6 in data22) {
              let data23 = data22[key6];
              if (typeof data23 !== "string" && !(typeof data23 == "number" && isFinite(data23)) && typeof data23 !== "boolean" && !(data23 && typeof data23 == "object" && !Array.isArray(data23))) {
                const err45 = { instancePath: instancePath + "/spec/variables/" + key6.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/definitions/variable/type", keyword: "type", params: { type: schema13.type } };
                if (vErrors === null) {
                  vErrors = [err45];
                } else {
                  vErrors.push(err45);
                }
                errors++;
              }
              if (data23 && typeof data23 == "object" && !Array.isArray(data23)) {
                for (const key7 in data23) {
                  if (!(key7 === "description" || key7 === "default")) {
                    const err46 = { instancePath: instancePath + "/spec/variables/" + key6.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/definitions/variable/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key7 } };
                    if (vErrors === null) {
                      vErrors = [err46];
                    } else {
                      vErrors.push(err46);
                    }
                    errors++;
                  }
                }
                if (data23.description !== void 0) {
                  if (typeof data23.description !== "string") {
                    const err47 = { instancePath: instancePath + "/spec/variables/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/description", schemaPath: "#/definitions/variable/properties/description/type", keyword: "type", params: { type: "string" } };
                    if (vErrors === null) {
                      vErrors = [err47];
                    } else {
                      vErrors.push(err47);
                    }
                    errors++;
                  }
                }
                if (data23.default !== void 0) {
                  let data25 = data23.default;
                  if (typeof data25 !== "string" && !(typeof data25 == "number" && isFinite(data25)) && typeof data25 !== "boolean") {
                    const err48 = { instancePath: instancePath + "/spec/variables/" + key6.replace(/~/g, "~0").replace(/\//g, "~1") + "/default", schemaPath: "#/definitions/variable/properties/default/type", keyword: "type", params: { type: schema13.properties.default.type } };
                    if (vErrors === null) {
                      vErrors = [err48];
                    } else {
                      vErrors.push(err48);
                    }
                    errors++;
                  }
                }
              }
            }
          } else {
            const err49 = { instancePath: instancePath + "/spec/variables", schemaPath: "#/properties/spec/properties/variables/type", keyword: "type", params: { type: "object" } };
            if (vErrors === null) {
              vErrors = [err49];
            } else {
              vErrors.push(err49);
            }
            errors++;
          }
        }
        if (data4.environments !== void 0) {
          let data26 = data4.environments;
          if (data26 && typeof data26 == "object" && !Array.isArray(data26)) {
            for (const key8 in data26) {
              const _errs63 = errors;
              if (typeof key8 === "string") {
                if (!pattern6.test(key8)) {
                  const err50 = { instancePath: instancePath + "/spec/environments", schemaPath: "#/properties/spec/properties/environments/propertyNames/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$" }, propertyName: key8 };
                  if (vErrors === null) {
                    vErrors = [err50];
                  } else {
                    vErrors.push(err50);
                  }
                  errors++;
                }
              }
              var valid16 = _errs63 === errors;
              if (!valid16) {
                const err51 = { instancePath: instancePath + "/spec/environments", schemaPath: "#/properties/spec/properties/environments/propertyNames", keyword: "propertyNames", params: { propertyName: key8 } };
                if (vErrors === null) {
                  vErrors = [err51];
                } else {
                  vErrors.push(err51);
                }
                errors++;
              }
            }
            for (const key9 in data26) {
              if (!validate11(data26[key9], { instancePath: instancePath + "/spec/environments/" + key9.replace(/~/g, "~0").replace(/\//g, "~1"), parentData: data26, parentDataProperty: key9, rootData })) {
                vErrors = vErrors === null ? validate11.errors : vErrors.concat(validate11.errors);
                errors = vErrors.length;
              }
            }
          } else {
            const err52 = { instancePath: instancePath + "/spec/environments", schemaPath: "#/properties/spec/properties/environments/type", keyword: "type", params: { type: "object" } };
            if (vErrors === null) {
              vErrors = [err52];
            } else {
              vErrors.push(err52);
            }
            errors++;
          }
        }
        if (data4.extra_fields !== void 0) {
          let data28 = data4.extra_fields;
          if (data28 && typeof data28 == "object" && !Array.isArray(data28)) {
            for (const key10 in data28) {
              if (!(key10 === "policy" || key10 === "toolset" || key10 === "credential" || key10 === "agent")) {
                const err53 = { instancePath: instancePath + "/spec/extra_fields", schemaPath: "#/properties/spec/properties/extra_fields/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key10 } };
                if (vErrors === null) {
                  vErrors = [err53];
                } else {
                  vErrors.push(err53);
                }
                errors++;
              }
            }
            if (data28.policy !== void 0) {
              let data29 = data28.policy;
              if (Array.isArray(data29)) {
                const len2 = data29.length;
                for (let i3 = 0; i3 < len2; i3++) {
                  let data30 = data29[i3];
                  if (typeof data30 === "string") {
                    if (func2(data30) < 1) {
                      const err54 = { instancePath: instancePath + "/spec/extra_fields/policy/" + i3, schemaPath: "#/properties/spec/properties/extra_fields/properties/policy/items/minLength", keyword: "minLength", params: { limit: 1 } };
                      if (vErrors === null) {
                        vErrors = [err54];
                      } else {
                        vErrors.push(err54);
                      }
                      errors++;
                    }
                  } else {
                    const err55 = { instancePath: instancePath + "/spec/extra_fields/policy/" + i3, schemaPath: "#/properties/spec/properties/extra_fields/properties/policy/items/type", keyword: "type", params: { type: "string" } };
                    if (vErrors === null) {
                      vErrors = [err55];
                    } else {
                      vErrors.push(err55);
                    }
                    errors++;
                  }
                }
              } else {
                const err56 = { instancePath: instancePath + "/spec/extra_fields/policy", schemaPath: "#/properties/spec/properties/extra_fields/properties/policy/type", keyword: "type", params: { type: "array" } };
                if (vErrors === null) {
                  vErrors = [err56];
                } else {
                  vErrors.push(err56);
                }
                errors++;
              }
            }
            if (data28.toolset !== void 0) {
              let data31 = data28.toolset;
              if (Array.isArray(data31)) {
                const len3 = data31.length;
                for (let i4 = 0; i4 < len3; i4++) {
                  let data32 = data31[i4];
                  if (typeof data32 === "string") {
                    if (func2(data32) < 1) {
                      const err57 = { instancePath: instancePath + "/spec/extra_fields/toolset/" + i4, schemaPath: "#/properties/spec/properties/extra_fields/properties/toolset/items/minLength", keyword: "minLength", params: { limit: 1 } };
                      if (vErrors === null) {
                        vErrors = [err57];
                      } else {
                        vErrors.push(err57);
                      }
                      errors++;
                    }
                  } else {
                    const err58 = { instancePath: instancePath + "/spec/extra_fields/toolset/" + i4, schemaPath: "#/properties/spec/properties/extra_fields/properties/toolset/items/type", keyword: "type", params: { type: "string" } };
                    if (vErrors === null) {
                      vErrors = [err58];
                    } else {
                      vErrors.push(err58);
                    }
                    errors++;
                  }
                }
              } else {
                const err59 = { instancePath: instancePath + "/spec/extra_fields/toolset", schemaPath: "#/properties/spec/properties/extra_fields/properties/toolset/type", keyword: "type", params: { type: "array" } };
                if (vErrors === null) {
                  vErrors = [err59];
                } else {
                  vErrors.push(err59);
                }
                errors++;
              }
            }
            if (data28.credential !== void 0) {
              let data33 = data28.credential;
              if (Array.isArray(data33)) {
                const len4 = data33.length;
                for (let i5 = 0; i5 < len4; i5++) {
                  let data34 = data33[i5];
                  if (typeof data34 === "string") {
                    if (func2(data34) < 1) {
                      const err60 = { instancePath: instancePath + "/spec/extra_fields/credential/" + i5, schemaPath: "#/properties/spec/properties/extra_fields/properties/credential/items/minLength", keyword: "minLength", params: { limit: 1 } };
                      if (vErrors === null) {
                        vErrors = [err60];
                      } else {
                        vErrors.push(err60);
                      }
                      errors++;
                    }
                  } else {
                    const err61 = { instancePath: instancePath + "/spec/extra_fields/credential/" + i5, schemaPath: "#/properties/spec/properties/extra_fields/properties/credential/items/type", keyword: "type", params: { type: "string" } };
                    if (vErrors === null) {
                      vErrors = [err61];
                    } else {
                      vErrors.push(err61);
                    }
                    errors++;
                  }
                }
              } else {
                const err62 = { instancePath: instancePath + "/spec/extra_fields/credential", schemaPath: "#/properties/spec/properties/extra_fields/properties/credential/type", keyword: "type", params: { type: "array" } };
                if (vErrors === null) {
                  vErrors = [err62];
                } else {
                  vErrors.push(err62);
                }
                errors++;
              }
            }
            if (data28.agent !== void 0) {
              let data35 = data28.agent;
              if (Array.isArray(data35)) {
                const len5 = data35.length;
                for (let i6 = 0; i6 < len5; i6++) {
                  let data36 = data35[i6];
                  if (typeof data36 === "string") {
                    if (func2(data36) < 1) {
                      const err63 = { instancePath: instancePath + "/spec/extra_fields/agent/" + i6, schemaPath: "#/properties/spec/properties/extra_fields/properties/agent/items/minLength", keyword: "minLength", params: { limit: 1 } };
                      if (vErrors === null) {
                        vErrors = [err63];
                      } else {
                        vErrors.push(err63);
                      }
                      errors++;
                    }
                  } else {
                    const err64 = { instancePath: instancePath + "/spec/extra_fields/agent/" + i6, schemaPath: "#/properties/spec/properties/extra_fields/properties/agent/items/type", keyword: "type", params: { type: "string" } };
                    if (vErrors === null) {
                      vErrors = [err64];
                    } else {
                      vErrors.push(err64);
                    }
                    errors++;
                  }
                }
              } else {
                const err65 = { instancePath: instancePath + "/spec/extra_fields/agent", schemaPath: "#/properties/spec/properties/extra_fields/properties/agent/type", keyword: "type", params: { type: "array" } };
                if (vErrors === null) {
                  vErrors = [err65];
                } else {
                  vErrors.push(err65);
                }
                errors++;
              }
            }
          } else {
            const err66 = { instancePath: instancePath + "/spec/extra_fields", schemaPath: "#/properties/spec/properties/extra_fields/type", keyword: "type", params: { type: "object" } };
            if (vErrors === null) {
              vErrors = [err66];
            } else {
              vErrors.push(err66);
            }
            errors++;
          }
        }
        if (data4.limits !== void 0) {
          let data37 = data4.limits;
          if (data37 && typeof data37 == "object" && !Array.isArray(data37)) {
            for (const key11 in data37) {
              if (!(key11 === "orphans")) {
                const err67 = { instancePath: instancePath + "/spec/limits", schemaPath: "#/properties/spec/properties/limits/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key11 } };
                if (vErrors === null) {
                  vErrors = [err67];
                } else {
                  vErrors.push(err67);
                }
                errors++;
              }
            }
            if (data37.orphans !== void 0) {
              let data38 = data37.orphans;
              if (!(typeof data38 == "number" && (!(data38 % 1) && !isNaN(data38)) && isFinite(data38))) {
                const err68 = { instancePath: instancePath + "/spec/limits/orphans", schemaPath: "#/properties/spec/properties/limits/properties/orphans/type", keyword: "type", params: { type: "integer" } };
                if (vErrors === null) {
                  vErrors = [err68];
                } else {
                  vErrors.push(err68);
                }
                errors++;
              }
              if (typeof data38 == "number" && isFinite(data38)) {
                if (data38 < 0 || isNaN(data38)) {
                  const err69 = { instancePath: instancePath + "/spec/limits/orphans", schemaPath: "#/properties/spec/properties/limits/properties/orphans/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 } };
                  if (vErrors === null) {
                    vErrors = [err69];
                  } else {
                    vErrors.push(err69);
                  }
                  errors++;
                }
              }
            }
          } else {
            const err70 = { instancePath: instancePath + "/spec/limits", schemaPath: "#/properties/spec/properties/limits/type", keyword: "type", params: { type: "object" } };
            if (vErrors === null) {
              vErrors = [err70];
            } else {
              vErrors.push(err70);
            }
            errors++;
          }
        }
        if (data4.lock !== void 0) {
          let data39 = data4.lock;
          const _errs92 = errors;
          let valid28 = true;
          const _errs93 = errors;
          if (data39 && typeof data39 == "object" && !Array.isArray(data39)) {
            if (data39.store !== void 0) {
              if ("file" !== data39.store) {
                const err71 = {};
                if (vErrors === null) {
                  vErrors = [err71];
                } else {
                  vErrors.push(err71);
                }
                errors++;
              }
            }
          }
          var _valid0 = _errs93 === errors;
          errors = _errs92;
          if (vErrors !== null) {
            if (_errs92) {
              vErrors.length = _errs92;
            } else {
              vErrors = null;
            }
          }
          let ifClause0;
          if (_valid0) {
            const _errs95 = errors;
            if (data39 && typeof data39 == "object" && !Array.isArray(data39)) {
              if (data39.remote !== void 0) {
                const err72 = { instancePath: instancePath + "/spec/lock/remote", schemaPath: "#/properties/spec/properties/lock/then/properties/remote/false schema", keyword: "false schema", params: {} };
                if (vErrors === null) {
                  vErrors = [err72];
                } else {
                  vErrors.push(err72);
                }
                errors++;
              }
              if (data39.ref !== void 0) {
                const err73 = { instancePath: instancePath + "/spec/lock/ref", schemaPath: "#/properties/spec/properties/lock/then/properties/ref/false schema", keyword: "false schema", params: {} };
                if (vErrors === null) {
                  vErrors = [err73];
                } else {
                  vErrors.push(err73);
                }
                errors++;
              }
            }
            var _valid0 = _errs95 === errors;
            valid28 = _valid0;
            ifClause0 = "then";
          } else {
            const _errs96 = errors;
            if (data39 && typeof data39 == "object" && !Array.isArray(data39)) {
              if (data39.remote !== void 0) {
                let data43 = data39.remote;
                if (typeof data43 === "string") {
                  if (!pattern12.test(data43)) {
                    const err74 = { instancePath: instancePath + "/spec/lock/remote", schemaPath: "#/properties/spec/properties/lock/else/properties/remote/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9_][A-Za-z0-9._/-]*$" } };
                    if (vErrors === null) {
                      vErrors = [err74];
                    } else {
                      vErrors.push(err74);
                    }
                    errors++;
                  }
                } else {
                  const err75 = { instancePath: instancePath + "/spec/lock/remote", schemaPath: "#/properties/spec/properties/lock/else/properties/remote/type", keyword: "type", params: { type: "string" } };
                  if (vErrors === null) {
                    vErrors = [err75];
                  } else {
                    vErrors.push(err75);
                  }
                  errors++;
                }
              }
              if (data39.ref !== void 0) {
                let data44 = data39.ref;
                if (typeof data44 === "string") {
                  if (!pattern13.test(data44)) {
                    const err76 = { instancePath: instancePath + "/spec/lock/ref", schemaPath: "#/properties/spec/properties/lock/else/properties/ref/pattern", keyword: "pattern", params: { pattern: "^refs/agentform(/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$" } };
                    if (vErrors === null) {
                      vErrors = [err76];
                    } else {
                      vErrors.push(err76);
                    }
                    errors++;
                  }
                } else {
                  const err77 = { instancePath: instancePath + "/spec/lock/ref", schemaPath: "#/properties/spec/properties/lock/else/properties/ref/type", keyword: "type", params: { type: "string" } };
                  if (vErrors === null) {
                    vErrors = [err77];
                  } else {
                    vErrors.push(err77);
                  }
                  errors++;
                }
              }
            }
            var _valid0 = _errs96 === errors;
            valid28 = _valid0;
            ifClause0 = "else";
          }
          if (!valid28) {
            const err78 = { instancePath: instancePath + "/spec/lock", schemaPath: "#/properties/spec/properties/lock/if", keyword: "if", params: { failingKeyword: ifClause0 } };
            if (vErrors === null) {
              vErrors = [err78];
            } else {
              vErrors.push(err78);
            }
            errors++;
          }
          if (data39 && typeof data39 == "object" && !Array.isArray(data39)) {
            if (data39.store === void 0) {
              const err79 = { instancePath: instancePath + "/spec/lock", schemaPath: "#/properties/spec/properties/lock/required", keyword: "required", params: { missingProperty: "store" } };
              if (vErrors === null) {
                vErrors = [err79];
              } else {
                vErrors.push(err79);
              }
              errors++;
            }
            for (const key12 in data39) {
              if (!(key12 === "store" || key12 === "remote" || key12 === "ref")) {
                const err80 = { instancePath: instancePath + "/spec/lock", schemaPath: "#/properties/spec/properties/lock/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key12 } };
                if (vErrors === null) {
                  vErrors = [err80];
                } else {
                  vErrors.push(err80);
                }
                errors++;
              }
            }
            if (data39.store !== void 0) {
              let data45 = data39.store;
              if (!(data45 === "file" || data45 === "git")) {
                const err81 = { instancePath: instancePath + "/spec/lock/store", schemaPath: "#/properties/spec/properties/lock/properties/store/enum", keyword: "enum", params: { allowedValues: schema11.properties.spec.properties.lock.properties.store.enum } };
                if (vErrors === null) {
                  vErrors = [err81];
                } else {
                  vErrors.push(err81);
                }
                errors++;
              }
            }
            if (data39.remote !== void 0) {
              let data46 = data39.remote;
              if (typeof data46 === "string") {
                if (func2(data46) < 1) {
                  const err82 = { instancePath: instancePath + "/spec/lock/remote", schemaPath: "#/properties/spec/properties/lock/properties/remote/minLength", keyword: "minLength", params: { limit: 1 } };
                  if (vErrors === null) {
                    vErrors = [err82];
                  } else {
                    vErrors.push(err82);
                  }
                  errors++;
                }
              } else {
                const err83 = { instancePath: instancePath + "/spec/lock/remote", schemaPath: "#/properties/spec/properties/lock/properties/remote/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err83];
                } else {
                  vErrors.push(err83);
                }
                errors++;
              }
            }
            if (data39.ref !== void 0) {
              let data47 = data39.ref;
              if (typeof data47 === "string") {
                if (func2(data47) < 1) {
                  const err84 = { instancePath: instancePath + "/spec/lock/ref", schemaPath: "#/properties/spec/properties/lock/properties/ref/minLength", keyword: "minLength", params: { limit: 1 } };
                  if (vErrors === null) {
                    vErrors = [err84];
                  } else {
                    vErrors.push(err84);
                  }
                  errors++;
                }
              } else {
                const err85 = { instancePath: instancePath + "/spec/lock/ref", schemaPath: "#/properties/spec/properties/lock/properties/ref/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err85];
                } else {
                  vErrors.push(err85);
                }
                errors++;
              }
            }
          } else {
            const err86 = { instancePath: instancePath + "/spec/lock", schemaPath: "#/properties/spec/properties/lock/type", keyword: "type", params: { type: "object" } };
            if (vErrors === null) {
              vErrors = [err86];
            } else {
              vErrors.push(err86);
            }
            errors++;
          }
        }
      } else {
        const err87 = { instancePath: instancePath + "/spec", schemaPath: "#/properties/spec/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err87];
        } else {
          vErrors.push(err87);
        }
        errors++;
      }
    }
  } else {
    const err88 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    if (vErrors === null) {
      vErrors = [err88];
    } else {
      vErrors.push(err88);
    }
    errors++;
  }
  validate10.errors = vErrors;
  return errors === 0;
}

function validate2(value) {
  const valid = validate(value);
  validate2.errors = valid ? null : validate.errors.filter((error) => error.keyword !== "if");
  return valid;
}
export {
  validate2 as validate
};
