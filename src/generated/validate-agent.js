// Generated from schemas/agent.schema.json; do not edit.
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
var schema11 = { "type": "object", "required": ["apiVersion", "kind", "metadata", "spec"], "additionalProperties": false, "properties": { "apiVersion": { "const": "agentform/v1" }, "kind": { "const": "Agent" }, "metadata": { "type": "object", "required": ["name"], "additionalProperties": false, "properties": { "name": { "type": "string", "pattern": "^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$" }, "labels": { "type": "object", "additionalProperties": { "type": "string" } }, "annotations": { "type": "object", "additionalProperties": { "type": "string" } } } }, "spec": { "type": "object", "required": ["name"], "properties": { "name": { "type": "string" }, "system_prompt": { "type": "string" }, "description": { "type": "string" }, "features": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "array", "items": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "object", "properties": { "type": { "type": "string" }, "config": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "object", "properties": { "module_mode": {} }, "additionalProperties": true } }, "priority": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "integer" } } } } } } }, "tools": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "array", "items": { "type": "string" } } }, "llm_credential_id": { "type": "string" }, "provider_id": { "type": "string" }, "model": { "type": "string" }, "top_p": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "number" } }, "temperature": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "number" } }, "response_format": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "object", "additionalProperties": true } }, "api_key": { "type": "string" }, "template_type": {}, "agent_role": {}, "agent_instructions": {}, "examples": {}, "tool": {}, "tool_usage_description": {}, "version": { "type": "string" }, "_id": { "type": "string" }, "created_at": { "type": "string" }, "updated_at": { "type": "string" } } }, "lifecycle": { "type": "object", "additionalProperties": false, "properties": { "protect": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "boolean" } }, "adopt": { "type": ["string", "object"], "minLength": 1, "additionalProperties": { "type": "string", "minLength": 1 } }, "moved_from": { "type": ["string", "array"], "minLength": 1, "items": { "type": "string", "minLength": 1 } } } } }, "definitions": { "expression": { "type": "string", "pattern": "\\$\\{[a-z][a-z0-9_]*:" } } };
var pattern0 = new RegExp("^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$", "u");
var pattern1 = new RegExp("\\$\\{[a-z][a-z0-9_]*:", "u");
var func2 = require_ucs2length().default;
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
      if (!(key0 === "apiVersion" || key0 === "kind" || key0 === "metadata" || key0 === "spec" || key0 === "lifecycle")) {
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
      if ("Agent" !== data.kind) {
        const err6 = { instancePath: instancePath + "/kind", schemaPath: "#/properties/kind/const", keyword: "const", params: { allowedValue: "Agent" } };
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
          if (!(key1 === "name" || key1 === "labels" || key1 === "annotations")) {
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
        if (data2.labels !== void 0) {
          let data4 = data2.labels;
          if (data4 && typeof data4 == "object" && !Array.isArray(data4)) {
            for (const key2 in data4) {
              if (typeof data4[key2] !== "string") {
                const err11 = { instancePath: instancePath + "/metadata/labels/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/metadata/properties/labels/additionalProperties/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err11];
                } else {
                  vErrors.push(err11);
                }
                errors++;
              }
            }
          } else {
            const err12 = { instancePath: instancePath + "/metadata/labels", schemaPath: "#/properties/metadata/properties/labels/type", keyword: "type", params: { type: "object" } };
            if (vErrors === null) {
              vErrors = [err12];
            } else {
              vErrors.push(err12);
            }
            errors++;
          }
        }
        if (data2.annotations !== void 0) {
          let data6 = data2.annotations;
          if (data6 && typeof data6 == "object" && !Array.isArray(data6)) {
            for (const key3 in data6) {
              if (typeof data6[key3] !== "string") {
                const err13 = { instancePath: instancePath + "/metadata/annotations/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/metadata/properties/annotations/additionalProperties/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err13];
                } else {
                  vErrors.push(err13);
                }
                errors++;
              }
            }
          } else {
            const err14 = { instancePath: instancePath + "/metadata/annotations", schemaPath: "#/properties/metadata/properties/annotations/type", keyword: "type", params: { type: "object" } };
            if (vErrors === null) {
              vErrors = [err14];
            } else {
              vErrors.push(err14);
            }
            errors++;
          }
        }
      } else {
        const err15 = { instancePath: instancePath + "/metadata", schemaPath: "#/properties/metadata/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err15];
        } else {
          vErrors.push(err15);
        }
        errors++;
      }
    }
    if (data.spec !== void 0) {
      let data8 = data.spec;
      if (data8 && typeof data8 == "object" && !Array.isArray(data8)) {
        if (data8.name === void 0) {
          const err16 = { instancePath: instancePath + "/spec", schemaPath: "#/properties/spec/required", keyword: "required", params: { missingProperty: "name" } };
          if (vErrors === null) {
            vErrors = [err16];
          } else {
            vErrors.push(err16);
          }
          errors++;
        }
        if (data8.name !== void 0) {
          if (typeof data8.name !== "string") {
            const err17 = { instancePath: instancePath + "/spec/name", schemaPath: "#/properties/spec/properties/name/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err17];
            } else {
              vErrors.push(err17);
            }
            errors++;
          }
        }
        if (data8.system_prompt !== void 0) {
          if (typeof data8.system_prompt !== "string") {
            const err18 = { instancePath: instancePath + "/spec/system_prompt", schemaPath: "#/properties/spec/properties/system_prompt/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err18];
            } else {
              vErrors.push(err18);
            }
            errors++;
          }
        }
        if (data8.description !== void 0) {
          if (typeof data8.description !== "string") {
            const err19 = { instancePath: instancePath + "/spec/description", schemaPath: "#/properties/spec/properties/description/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err19];
            } else {
              vErrors.push(err19);
            }
            errors++;
          }
        }
        if (data8.features !== void 0) {
          let data12 = data8.features;
          const _errs28 = errors;
          let valid5 = true;
          const _errs29 = errors;
          const _errs30 = errors;
          if (errors === _errs30) {
            if (typeof data12 === "string") {
              if (!pattern1.test(data12)) {
                const err20 = {};
                if (vErrors === null) {
                  vErrors = [err20];
                } else {
                  vErrors.push(err20);
                }
                errors++;
              }
            } else {
              const err21 = {};
              if (vErrors === null) {
                vErrors = [err21];
              } else {
                vErrors.push(err21);
              }
              errors++;
            }
          }
          var _valid0 = _errs29 === errors;
          errors = _errs28;
          if (vErrors !== null) {
            if (_errs28) {
              vErrors.length = _errs28;
            } else {
              vErrors = null;
            }
          }
          if (!_valid0) {
            const _errs32 = errors;
            if (Array.isArray(data12)) {
              const len0 = data12.length;
              for (let i0 = 0; i0 < len0; i0++) {
                let data13 = data12[i0];
                const _errs35 = errors;
                let valid9 = true;
                const _errs36 = errors;
                const _errs37 = errors;
                if (errors === _errs37) {
                  if (typeof data13 === "string") {
                    if (!pattern1.test(data13)) {
                      const err22 = {};
                      if (vErrors === null) {
                        vErrors = [err22];
                      } else {
                        vErrors.push(err22);
                      }
                      errors++;
                    }
                  } else {
                    const err23 = {};
                    if (vErrors === null) {
                      vErrors = [err23];
                    } else {
                      vErrors.push(err23);
                    }
                    errors++;
                  }
                }
                var _valid1 = _errs36 === errors;
                errors = _errs35;
                if (vErrors !== null) {
                  if (_errs35) {
                    vErrors.length = _errs35;
                  } else {
                    vErrors = null;
                  }
                }
                if (!_valid1) {
                  const _errs39 = errors;
                  if (data13 && typeof data13 == "object" && !Array.isArray(data13)) {
                    if (data13.type !== void 0) {
                      if (typeof data13.type !== "string") {
                        const err24 = { instancePath: instancePath + "/spec/features/" + i0 + "/type", schemaPath: "#/properties/spec/properties/features/else/items/else/properties/type/type", keyword: "type", params: { type: "string" } };
                        if (vErrors === null) {
                          vErrors = [err24];
                        } else {
                          vErrors.push(err24);
                        }
                        errors++;
                      }
                    }
                    if (data13.config !== void 0) {
                      let data15 = data13.config;
                      const _errs44 = errors;
                      let valid12 = true;
                      const _errs45 = errors;
                      const _errs46 = errors;
                      if (errors === _errs46) {
                        if (typeof data15 === "string") {
                          if (!pattern1.test(data15)) {
                            const err25 = {};
                            if (vErrors === null) {
                              vErrors = [err25];
                            } else {
                              vErrors.push(err25);
                            }
                            errors++;
                          }
                        } else {
                          const err26 = {};
                          if (vErrors === null) {
                            vErrors = [err26];
                          } else {
                            vErrors.push(err26);
                          }
                          errors++;
                        }
                      }
                      var _valid2 = _errs45 === errors;
                      errors = _errs44;
                      if (vErrors !== null) {
                        if (_errs44) {
                          vErrors.length = _errs44;
                        } else {
                          vErrors = null;
                        }
                      }
                      if (!_valid2) {
                        const _errs48 = errors;
                        if (data15 && typeof data15 == "object" && !Array.isArray(data15)) {
                        } else {
                          const err27 = { instancePath: instancePath + "/spec/features/" + i0 + "/config", schemaPath: "#/properties/spec/properties/features/else/items/else/properties/config/else/type", keyword: "type", params: { type: "object" } };
                          if (vErrors === null) {
                            vErrors = [err27];
                          } else {
                            vErrors.push(err27);
                          }
                          errors++;
                        }
                        var _valid2 = _errs48 === errors;
                        valid12 = _valid2;
                      }
                      if (!valid12) {
                        const err28 = { instancePath: instancePath + "/spec/features/" + i0 + "/config", schemaPath: "#/properties/spec/properties/features/else/items/else/properties/config/if", keyword: "if", params: { failingKeyword: "else" } };
                        if (vErrors === null) {
                          vErrors = [err28];
                        } else {
                          vErrors.push(err28);
                        }
                        errors++;
                      }
                    }
                    if (data13.priority !== void 0) {
                      let data16 = data13.priority;
                      const _errs52 = errors;
                      let valid14 = true;
                      const _errs53 = errors;
                      const _errs54 = errors;
                      if (errors === _errs54) {
                        if (typeof data16 === "string") {
                          if (!pattern1.test(data16)) {
                            const err29 = {};
                            if (vErrors === null) {
                              vErrors = [err29];
                            } else {
                              vErrors.push(err29);
                            }
                            errors++;
                          }
                        } else {
                          const err30 = {};
                          if (vErrors === null) {
                            vErrors = [err30];
                          } else {
                            vErrors.push(err30);
                          }
                          errors++;
                        }
                      }
                      var _valid3 = _errs53 === errors;
                      errors = _errs52;
                      if (vErrors !== null) {
                        if (_errs52) {
                          vErrors.length = _errs52;
                        } else {
                          vErrors = null;
                        }
                      }
                      if (!_valid3) {
                        const _errs56 = errors;
                        if (!(typeof data16 == "number" && (!(data16 % 1) && !isNaN(data16)) && isFinite(data16))) {
                          const err31 = { instancePath: instancePath + "/spec/features/" + i0 + "/priority", schemaPath: "#/properties/spec/properties/features/else/items/else/properties/priority/else/type", keyword: "type", params: { type: "integer" } };
                          if (vErrors === null) {
                            vErrors = [err31];
                          } else {
                            vErrors.push(err31);
                          }
                          errors++;
                        }
                        var _valid3 = _errs56 === errors;
                        valid14 = _valid3;
                      }
                      if (!valid14) {
                        const err32 = { instancePath: instancePath + "/spec/features/" + i0 + "/priority", schemaPath: "#/properties/spec/properties/features/else/items/else/properties/priority/if", keyword: "if", params: { failingKeyword: "else" } };
                        if (vErrors === null) {
                          vErrors = [err32];
                        } else {
                          vErrors.push(err32);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err33 = { instancePath: instancePath + "/spec/features/" + i0, schemaPath: "#/properties/spec/properties/features/else/items/else/type", keyword: "type", params: { type: "object" } };
                    if (vErrors === null) {
                      vErrors = [err33];
                    } else {
                      vErrors.push(err33);
                    }
                    errors++;
                  }
                  var _valid1 = _errs39 === errors;
                  valid9 = _valid1;
                }
                if (!valid9) {
                  const err34 = { instancePath: instancePath + "/spec/features/" + i0, schemaPath: "#/properties/spec/properties/features/else/items/if", keyword: "if", params: { failingKeyword: "else" } };
                  if (vErrors === null) {
                    vErrors = [err34];
                  } else {
                    vErrors.push(err34);
                  }
                  errors++;
                }
              }
            } else {
              const err35 = { instancePath: instancePath + "/spec/features", schemaPath: "#/properties/spec/properties/features/else/type", keyword: "type", params: { type: "array" } };
              if (vErrors === null) {
                vErrors = [err35];
              } else {
                vErrors.push(err35);
              }
              errors++;
            }
            var _valid0 = _errs32 === errors;
            valid5 = _valid0;
          }
          if (!valid5) {
            const err36 = { instancePath: instancePath + "/spec/features", schemaPath: "#/properties/spec/properties/features/if", keyword: "if", params: { failingKeyword: "else" } };
            if (vErrors === null) {
              vErrors = [err36];
            } else {
              vErrors.push(err36);
            }
            errors++;
          }
        }
        if (data8.tools !== void 0) {
          let data17 = data8.tools;
          const _errs59 = errors;
          let valid16 = true;
          const _errs60 = errors;
          const _errs61 = errors;
          if (errors === _errs61) {
            if (typeof data17 === "string") {
              if (!pattern1.test(data17)) {
                const err37 = {};
                if (vErrors === null) {
                  vErrors = [err37];
                } else {
                  vErrors.push(err37);
                }
                errors++;
              }
            } else {
              const err38 = {};
              if (vErrors === null) {
                vErrors = [err38];
              } else {
                vErrors.push(err38);
              }
              errors++;
            }
          }
          var _valid4 = _errs60 === errors;
          errors = _errs59;
          if (vErrors !== null) {
            if (_errs59) {
              vErrors.length = _errs59;
            } else {
              vErrors = null;
            }
          }
          if (!_valid4) {
            const _errs63 = errors;
            if (Array.isArray(data17)) {
              const len1 = data17.length;
              for (let i1 = 0; i1 < len1; i1++) {
                if (typeof data17[i1] !== "string") {
                  const err39 = { instancePath: instancePath + "/spec/tools/" + i1, schemaPath: "#/properties/spec/properties/tools/else/items/type", keyword: "type", params: { type: "string" } };
                  if (vErrors === null) {
                    vErrors = [err39];
                  } else {
                    vErrors.push(err39);
                  }
                  errors++;
                }
              }
            } else {
              const err40 = { instancePath: instancePath + "/spec/tools", schemaPath: "#/properties/spec/properties/tools/else/type", keyword: "type", params: { type: "array" } };
              if (vErrors === null) {
                vErrors = [err40];
              } else {
                vErrors.push(err40);
              }
              errors++;
            }
            var _valid4 = _errs63 === errors;
            valid16 = _valid4;
          }
          if (!valid16) {
            const err41 = { instancePath: instancePath + "/spec/tools", schemaPath: "#/properties/spec/properties/tools/if", keyword: "if", params: { failingKeyword: "else" } };
            if (vErrors === null) {
              vErrors = [err41];
            } else {
              vErrors.push(err41);
            }
            errors++;
          }
        }
        if (data8.llm_credential_id !== void 0) {
          if (typeof data8.llm_credential_id !== "string") {
            const err42 = { instancePath: instancePath + "/spec/llm_credential_id", schemaPath: "#/properties/spec/properties/llm_credential_id/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err42];
            } else {
              vErrors.push(err42);
            }
            errors++;
          }
        }
        if (data8.provider_id !== void 0) {
          if (typeof data8.provider_id !== "string") {
            const err43 = { instancePath: instancePath + "/spec/provider_id", schemaPath: "#/properties/spec/properties/provider_id/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err43];
            } else {
              vErrors.push(err43);
            }
            errors++;
          }
        }
        if (data8.model !== void 0) {
          if (typeof data8.model !== "string") {
            const err44 = { instancePath: instancePath + "/spec/model", schemaPath: "#/properties/spec/properties/model/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err44];
            } else {
              vErrors.push(err44);
            }
            errors++;
          }
        }
        if (data8.top_p !== void 0) {
          let data22 = data8.top_p;
          const _errs74 = errors;
          let valid20 = true;
          const _errs75 = errors;
          const _errs76 = errors;
          if (errors === _errs76) {
            if (typeof data22 === "string") {
              if (!pattern1.test(data22)) {
                const err45 = {};
                if (vErrors === null) {
                  vErrors = [err45];
                } else {
                  vErrors.push(err45);
                }
                errors++;
              }
            } else {
              const err46 = {};
              if (vErrors === null) {
                vErrors = [err46];
              } else {
                vErrors.push(err46);
              }
              errors++;
            }
          }
          var _valid5 = _errs75 === errors;
          errors = _errs74;
          if (vErrors !== null) {
            if (_errs74) {
              vErrors.length = _errs74;
            } else {
              vErrors = null;
            }
          }
          if (!_valid5) {
            const _errs78 = errors;
            if (!(typeof data22 == "number" && isFinite(data22))) {
              const err47 = { instancePath: instancePath + "/spec/top_p", schemaPath: "#/properties/spec/properties/top_p/else/type", keyword: "type", params: { type: "number" } };
              if (vErrors === null) {
                vErrors = [err47];
              } else {
                vErrors.push(err47);
              }
              errors++;
            }
            var _valid5 = _errs78 === errors;
            valid20 = _valid5;
          }
          if (!valid20) {
            const err48 = { instancePath: instancePath + "/spec/top_p", schemaPath: "#/properties/spec/properties/top_p/if", keyword: "if", params: { failingKeyword: "else" } };
            if (vErrors === null) {
              vErrors = [err48];
            } else {
              vErrors.push(err48);
            }
            errors++;
          }
        }
        if (data8.temperature !== void 0) {
          let data23 = data8.temperature;
          const _errs81 = errors;
          let valid22 = true;
          const _errs82 = errors;
          const _errs83 = errors;
          if (errors === _errs83) {
            if (typeof data23 === "string") {
              if (!pattern1.test(data23)) {
                const err49 = {};
                if (vErrors === null) {
                  vErrors = [err49];
                } else {
                  vErrors.push(err49);
                }
                errors++;
              }
            } else {
              const err50 = {};
              if (vErrors === null) {
                vErrors = [err50];
              } else {
                vErrors.push(err50);
              }
              errors++;
            }
          }
          var _valid6 = _errs82 === errors;
          errors = _errs81;
          if (vErrors !== null) {
            if (_errs81) {
              vErrors.length = _errs81;
            } else {
              vErrors = null;
            }
          }
          if (!_valid6) {
            const _errs85 = errors;
            if (!(typeof data23 == "number" && isFinite(data23))) {
              const err51 = { instancePath: instancePath + "/spec/temperature", schemaPath: "#/properties/spec/properties/temperature/else/type", keyword: "type", params: { type: "number" } };
              if (vErrors === null) {
                vErrors = [err51];
              } else {
                vErrors.push(err51);
              }
              errors++;
            }
            var _valid6 = _errs85 === errors;
            valid22 = _valid6;
          }
          if (!valid22) {
            const err52 = { instancePath: instancePath + "/spec/temperature", schemaPath: "#/properties/spec/properties/temperature/if", keyword: "if", params: { failingKeyword: "else" } };
            if (vErrors === null) {
              vErrors = [err52];
            } else {
              vErrors.push(err52);
            }
            errors++;
          }
        }
        if (data8.response_format !== void 0) {
          let data24 = data8.response_format;
          const _errs88 = errors;
          let valid24 = true;
          const _errs89 = errors;
          const _errs90 = errors;
          if (errors === _errs90) {
            if (typeof data24 === "string") {
              if (!pattern1.test(data24)) {
                const err53 = {};
                if (vErrors === null) {
                  vErrors = [err53];
                } else {
                  vErrors.push(err53);
                }
                errors++;
              }
            } else {
              const err54 = {};
              if (vErrors === null) {
                vErrors = [err54];
              } else {
                vErrors.push(err54);
              }
              errors++;
            }
          }
          var _valid7 = _errs89 === errors;
          errors = _errs88;
          if (vErrors !== null) {
            if (_errs88) {
              vErrors.length = _errs88;
            } else {
              vErrors = null;
            }
          }
          if (!_valid7) {
            const _errs92 = errors;
            if (data24 && typeof data24 == "object" && !Array.isArray(data24)) {
            } else {
              const err55 = { instancePath: instancePath + "/spec/response_format", schemaPath: "#/properties/spec/properties/response_format/else/type", keyword: "type", params: { type: "object" } };
              if (vErrors === null) {
                vErrors = [err55];
              } else {
                vErrors.push(err55);
              }
              errors++;
            }
            var _valid7 = _errs92 === errors;
            valid24 = _valid7;
          }
          if (!valid24) {
            const err56 = { instancePath: instancePath + "/spec/response_format", schemaPath: "#/properties/spec/properties/response_format/if", keyword: "if", params: { failingKeyword: "else" } };
            if (vErrors === null) {
              vErrors = [err56];
            } else {
              vErrors.push(err56);
            }
            errors++;
          }
        }
        if (data8.api_key !== void 0) {
          if (typeof data8.api_key !== "string") {
            const err57 = { instancePath: instancePath + "/spec/api_key", schemaPath: "#/properties/spec/properties/api_key/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err57];
            } else {
              vErrors.push(err57);
            }
            errors++;
          }
        }
        if (data8.version !== void 0) {
          if (typeof data8.version !== "string") {
            const err58 = { instancePath: instancePath + "/spec/version", schemaPath: "#/properties/spec/properties/version/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err58];
            } else {
              vErrors.push(err58);
            }
            errors++;
          }
        }
        if (data8._id !== void 0) {
          if (typeof data8._id !== "string") {
            const err59 = { instancePath: instancePath + "/spec/_id", schemaPath: "#/properties/spec/properties/_id/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err59];
            } else {
              vErrors.push(err59);
            }
            errors++;
          }
        }
        if (data8.created_at !== void 0) {
          if (typeof data8.created_at !== "string") {
            const err60 = { instancePath: instancePath + "/spec/created_at", schemaPath: "#/properties/spec/properties/created_at/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err60];
            } else {
              vErrors.push(err60);
            }
            errors++;
          }
        }
        if (data8.updated_at !== void 0) {
          if (typeof data8.updated_at !== "string") {
            const err61 = { instancePath: instancePath + "/spec/updated_at", schemaPath: "#/properties/spec/properties/updated_at/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err61];
            } else {
              vErrors.push(err61);
            }
            errors++;
          }
        }
      } else {
        const err62 = { instancePath: instancePath + "/spec", schemaPath: "#/properties/spec/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err62];
        } else {
          vErrors.push(err62);
        }
        errors++;
      }
    }
    if (data.lifecycle !== void 0) {
      let data30 = data.lifecycle;
      if (data30 && typeof data30 == "object" && !Array.isArray(data30)) {
        for (const key4 in data30) {
          if (!(key4 === "protect" || key4 === "adopt" || key4 === "moved_from")) {
            const err63 = { instancePath: instancePath + "/lifecycle", schemaPath: "#/properties/lifecycle/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key4 } };
            if (vErrors === null) {
              vErrors = [err63];
            } else {
              vErrors.push(err63);
            }
            errors++;
          }
        }
        if (data30.protect !== void 0) {
          let data31 = data30.protect;
          const _errs109 = errors;
          let valid27 = true;
          const _errs110 = errors;
          const _errs111 = errors;
          if (errors === _errs111) {
            if (typeof data31 === "string") {
              if (!pattern1.test(data31)) {
                const err64 = {};
                if (vErrors === null) {
                  vErrors = [err64];
                } else {
                  vErrors.push(err64);
                }
                errors++;
              }
            } else {
              const err65 = {};
              if (vErrors === null) {
                vErrors = [err65];
              } else {
                vErrors.push(err65);
              }
              errors++;
            }
          }
          var _valid8 = _errs110 === errors;
          errors = _errs109;
          if (vErrors !== null) {
            if (_errs109) {
              vErrors.length = _errs109;
            } else {
              vErrors = null;
            }
          }
          if (!_valid8) {
            const _errs113 = errors;
            if (typeof data31 !== "boolean") {
              const err66 = { instancePath: instancePath + "/lifecycle/protect", schemaPath: "#/properties/lifecycle/properties/protect/else/type", keyword: "type", params: { type: "boolean" } };
              if (vErrors === null) {
                vErrors = [err66];
              } else {
                vErrors.push(err66);
              }
              errors++;
            }
            var _valid8 = _errs113 === errors;
            valid27 = _valid8;
          }
          if (!valid27) {
            const err67 = { instancePath: instancePath + "/lifecycle/protect", schemaPath: "#/properties/lifecycle/properties/protect/if", keyword: "if", params: { failingKeyword: "else" } };
            if (vErrors === null) {
              vErrors = [err67];
            } else {
              vErrors.push(err67);
            }
            errors++;
          }
        }
        if (data30.adopt !== void 0) {
          let data32 = data30.adopt;
          if (typeof data32 !== "string" && !(data32 && typeof data32 == "object" && !Array.isArray(data32))) {
            const err68 = { instancePath: instancePath + "/lifecycle/adopt", schemaPath: "#/properties/lifecycle/properties/adopt/type", keyword: "type", params: { type: schema11.properties.lifecycle.properties.adopt.type } };
            if (vErrors === null) {
              vErrors = [err68];
            } else {
              vErrors.push(err68);
            }
            errors++;
          }
          if (typeof data32 === "string") {
            if (func2(data32) < 1) {
              const err69 = { instancePath: instancePath + "/lifecycle/adopt", schemaPath: "#/properties/lifecycle/properties/adopt/minLength", keyword: "minLength", params: { limit: 1 } };
              if (vErrors === null) {
                vErrors = [err69];
              } else {
                vErrors.push(err69);
              }
              errors++;
            }
          }
          if (data32 && typeof data32 == "object" && !Array.isArray(data32)) {
            for (const key5 in data32) {
              let data33 = data32[key5];
              if (typeof data33 === "string") {
                if (func2(data33) < 1) {
                  const err70 = { instancePath: instancePath + "/lifecycle/adopt/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/lifecycle/properties/adopt/additionalProperties/minLength", keyword: "minLength", params: { limit: 1 } };
                  if (vErrors === null) {
                    vErrors = [err70];
                  } else {
                    vErrors.push(err70);
                  }
                  errors++;
                }
              } else {
                const err71 = { instancePath: instancePath + "/lifecycle/adopt/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/lifecycle/properties/adopt/additionalProperties/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err71];
                } else {
                  vErrors.push(err71);
                }
                errors++;
              }
            }
          }
        }
        if (data30.moved_from !== void 0) {
          let data34 = data30.moved_from;
          if (typeof data34 !== "string" && !Array.isArray(data34)) {
            const err72 = { instancePath: instancePath + "/lifecycle/moved_from", schemaPath: "#/properties/lifecycle/properties/moved_from/type", keyword: "type", params: { type: schema11.properties.lifecycle.properties.moved_from.type } };
            if (vErrors === null) {
              vErrors = [err72];
            } else {
              vErrors.push(err72);
            }
            errors++;
          }
          if (typeof data34 === "string") {
            if (func2(data34) < 1) {
              const err73 = { instancePath: instancePath + "/lifecycle/moved_from", schemaPath: "#/properties/lifecycle/properties/moved_from/minLength", keyword: "minLength", params: { limit: 1 } };
              if (vErrors === null) {
                vErrors = [err73];
              } else {
                vErrors.push(err73);
              }
              errors++;
            }
          }
          if (Array.isArray(data34)) {
            const len2 = data34.length;
            for (let i2 = 0; i2 < len2; i2++) {
              let data35 = data34[i2];
              if (typeof data35 === "string") {
                if (func2(data35) < 1) {
                  const err74 = { instancePath: instancePath + "/lifecycle/moved_from/" + i2, schemaPath: "#/properties/lifecycle/properties/moved_from/items/minLength", keyword: "minLength", params: { limit: 1 } };
                  if (vErrors === null) {
                    vErrors = [err74];
                  } else {
                    vErrors.push(err74);
                  }
                  errors++;
                }
              } else {
                const err75 = { instancePath: instancePath + "/lifecycle/moved_from/" + i2, schemaPath: "#/properties/lifecycle/properties/moved_from/items/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err75];
                } else {
                  vErrors.push(err75);
                }
                errors++;
              }
            }
          }
        }
      } else {
        const err76 = { instancePath: instancePath + "/lifecycle", schemaPath: "#/properties/lifecycle/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err76];
        } else {
          vErrors.push(err76);
        }
        errors++;
      }
    }
  } else {
    const err77 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    if (vErrors === null) {
      vErrors = [err77];
    } else {
      vErrors.push(err77);
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
