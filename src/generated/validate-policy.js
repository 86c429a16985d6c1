// Generated from schemas/policy.schema.json; do not edit.
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
var schema11 = { "type": "object", "required": ["apiVersion", "kind", "metadata", "spec"], "additionalProperties": false, "properties": { "apiVersion": { "const": "agentform/v1" }, "kind": { "const": "Policy" }, "metadata": { "type": "object", "required": ["name"], "additionalProperties": false, "properties": { "name": { "type": "string", "pattern": "^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$" }, "labels": { "type": "object", "additionalProperties": { "type": "string" } }, "annotations": { "type": "object", "additionalProperties": { "type": "string" } } } }, "spec": { "type": "object", "required": ["name"], "properties": { "name": { "type": "string" }, "description": { "type": "string" }, "allowed_topics": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "object", "properties": { "enabled": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "boolean" } }, "topics": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "array", "items": { "type": ["string", "object"], "additionalProperties": true } } } } } }, "banned_topics": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "object", "properties": { "enabled": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "boolean" } }, "topics": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "array", "items": { "type": ["string", "object"], "additionalProperties": true } } } } } }, "keywords": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "object", "properties": { "enabled": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "boolean" } }, "keywords": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "array", "items": { "type": ["string", "object"], "additionalProperties": true } } } } } }, "toxicity_check": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "object", "properties": { "enabled": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "boolean" } }, "threshold": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "number" } } } } }, "prompt_injection": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "object", "properties": { "enabled": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "boolean" } }, "threshold": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "number" } } } } }, "secrets_detection": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "object", "properties": { "enabled": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "boolean" } }, "action": { "type": "string" } } } }, "pii_detection": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "object", "properties": { "enabled": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "boolean" } }, "types": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "object", "additionalProperties": { "type": "string" } } }, "custom_pii": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "array", "items": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "object", "properties": { "label": { "type": "string" }, "replacement": { "type": "string" }, "action": { "type": "string" } } } } } } } } }, "user_id": { "type": "string" }, "_id": { "type": "string" }, "created_at": { "type": "string" }, "updated_at": { "type": "string" } } }, "lifecycle": { "type": "object", "additionalProperties": false, "properties": { "protect": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "boolean" } }, "adopt": { "type": ["string", "object"], "minLength": 1, "additionalProperties": { "type": "string", "minLength": 1 } }, "moved_from": { "type": ["string", "array"], "minLength": 1, "items": { "type": "string", "minLength": 1 } } } } }, "definitions": { "expression": { "type": "string", "pattern": "\\$\\{[a-z][a-z0-9_]*:" } } };
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
      if ("Policy" !== data.kind) {
        const err6 = { instancePath: instancePath + "/kind", schemaPath: "#/properties/kind/const", keyword: "const", params: { allowedValue: "Policy" } };
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
        if (data8.description !== void 0) {
          if (typeof data8.description !== "string") {
            const err18 = { instancePath: instancePath + "/spec/description", schemaPath: "#/properties/spec/properties/description/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err18];
            } else {
              vErrors.push(err18);
            }
            errors++;
          }
        }
        if (data8.allowed_topics !== void 0) {
          let data11 = data8.allowed_topics;
          const _errs26 = errors;
          let valid5 = true;
          const _errs27 = errors;
          const _errs28 = errors;
          if (errors === _errs28) {
            if (typeof data11 === "string") {
              if (!pattern1.test(data11)) {
                const err19 = {};
                if (vErrors === null) {
                  vErrors = [err19];
                } else {
                  vErrors.push(err19);
                }
                errors++;
              }
            } else {
              const err20 = {};
              if (vErrors === null) {
                vErrors = [err20];
              } else {
                vErrors.push(err20);
              }
              errors++;
            }
          }
          var _valid0 = _errs27 === errors;
          errors = _errs26;
          if (vErrors !== null) {
            if (_errs26) {
              vErrors.length = _errs26;
            } else {
              vErrors = null;
            }
          }
          if (!_valid0) {
            const _errs30 = errors;
            if (data11 && typeof data11 == "object" && !Array.isArray(data11)) {
              if (data11.enabled !== void 0) {
                let data12 = data11.enabled;
                const _errs33 = errors;
                let valid8 = true;
                const _errs34 = errors;
                const _errs35 = errors;
                if (errors === _errs35) {
                  if (typeof data12 === "string") {
                    if (!pattern1.test(data12)) {
                      const err21 = {};
                      if (vErrors === null) {
                        vErrors = [err21];
                      } else {
                        vErrors.push(err21);
                      }
                      errors++;
                    }
                  } else {
                    const err22 = {};
                    if (vErrors === null) {
                      vErrors = [err22];
                    } else {
                      vErrors.push(err22);
                    }
                    errors++;
                  }
                }
                var _valid1 = _errs34 === errors;
                errors = _errs33;
                if (vErrors !== null) {
                  if (_errs33) {
                    vErrors.length = _errs33;
                  } else {
                    vErrors = null;
                  }
                }
                if (!_valid1) {
                  const _errs37 = errors;
                  if (typeof data12 !== "boolean") {
                    const err23 = { instancePath: instancePath + "/spec/allowed_topics/enabled", schemaPath: "#/properties/spec/properties/allowed_topics/else/properties/enabled/else/type", keyword: "type", params: { type: "boolean" } };
                    if (vErrors === null) {
                      vErrors = [err23];
                    } else {
                      vErrors.push(err23);
                    }
                    errors++;
                  }
                  var _valid1 = _errs37 === errors;
                  valid8 = _valid1;
                }
                if (!valid8) {
                  const err24 = { instancePath: instancePath + "/spec/allowed_topics/enabled", schemaPath: "#/properties/spec/properties/allowed_topics/else/properties/enabled/if", keyword: "if", params: { failingKeyword: "else" } };
                  if (vErrors === null) {
                    vErrors = [err24];
                  } else {
                    vErrors.push(err24);
                  }
                  errors++;
                }
              }
              if (data11.topics !== void 0) {
                let data13 = data11.topics;
                const _errs40 = errors;
                let valid10 = true;
                const _errs41 = errors;
                const _errs42 = errors;
                if (errors === _errs42) {
                  if (typeof data13 === "string") {
                    if (!pattern1.test(data13)) {
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
                var _valid2 = _errs41 === errors;
                errors = _errs40;
                if (vErrors !== null) {
                  if (_errs40) {
                    vErrors.length = _errs40;
                  } else {
                    vErrors = null;
                  }
                }
                if (!_valid2) {
                  const _errs44 = errors;
                  if (Array.isArray(data13)) {
                    const len0 = data13.length;
                    for (let i0 = 0; i0 < len0; i0++) {
                      let data14 = data13[i0];
                      if (typeof data14 !== "string" && !(data14 && typeof data14 == "object" && !Array.isArray(data14))) {
                        const err27 = { instancePath: instancePath + "/spec/allowed_topics/topics/" + i0, schemaPath: "#/properties/spec/properties/allowed_topics/else/properties/topics/else/items/type", keyword: "type", params: { type: schema11.properties.spec.properties.allowed_topics.else.properties.topics.else.items.type } };
                        if (vErrors === null) {
                          vErrors = [err27];
                        } else {
                          vErrors.push(err27);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err28 = { instancePath: instancePath + "/spec/allowed_topics/topics", schemaPath: "#/properties/spec/properties/allowed_topics/else/properties/topics/else/type", keyword: "type", params: { type: "array" } };
                    if (vErrors === null) {
                      vErrors = [err28];
                    } else {
                      vErrors.push(err28);
                    }
                    errors++;
                  }
                  var _valid2 = _errs44 === errors;
                  valid10 = _valid2;
                }
                if (!valid10) {
                  const err29 = { instancePath: instancePath + "/spec/allowed_topics/topics", schemaPath: "#/properties/spec/properties/allowed_topics/else/properties/topics/if", keyword: "if", params: { failingKeyword: "else" } };
                  if (vErrors === null) {
                    vErrors = [err29];
                  } else {
                    vErrors.push(err29);
                  }
                  errors++;
                }
              }
            } else {
              const err30 = { instancePath: instancePath + "/spec/allowed_topics", schemaPath: "#/properties/spec/properties/allowed_topics/else/type", keyword: "type", params: { type: "object" } };
              if (vErrors === null) {
                vErrors = [err30];
              } else {
                vErrors.push(err30);
              }
              errors++;
            }
            var _valid0 = _errs30 === errors;
            valid5 = _valid0;
          }
          if (!valid5) {
            const err31 = { instancePath: instancePath + "/spec/allowed_topics", schemaPath: "#/properties/spec/properties/allowed_topics/if", keyword: "if", params: { failingKeyword: "else" } };
            if (vErrors === null) {
              vErrors = [err31];
            } else {
              vErrors.push(err31);
            }
            errors++;
          }
        }
        if (data8.banned_topics !== void 0) {
          let data15 = data8.banned_topics;
          const _errs50 = errors;
          let valid14 = true;
          const _errs51 = errors;
          const _errs52 = errors;
          if (errors === _errs52) {
            if (typeof data15 === "string") {
              if (!pattern1.test(data15)) {
                const err32 = {};
                if (vErrors === null) {
                  vErrors = [err32];
                } else {
                  vErrors.push(err32);
                }
                errors++;
              }
            } else {
              const err33 = {};
              if (vErrors === null) {
                vErrors = [err33];
              } else {
                vErrors.push(err33);
              }
              errors++;
            }
          }
          var _valid3 = _errs51 === errors;
          errors = _errs50;
          if (vErrors !== null) {
            if (_errs50) {
              vErrors.length = _errs50;
            } else {
              vErrors = null;
            }
          }
          if (!_valid3) {
            const _errs54 = errors;
            if (data15 && typeof data15 == "object" && !Array.isArray(data15)) {
              if (data15.enabled !== void 0) {
                let data16 = data15.enabled;
                const _errs57 = errors;
                let valid17 = true;
                const _errs58 = errors;
                const _errs59 = errors;
                if (errors === _errs59) {
                  if (typeof data16 === "string") {
                    if (!pattern1.test(data16)) {
                      const err34 = {};
                      if (vErrors === null) {
                        vErrors = [err34];
                      } else {
                        vErrors.push(err34);
                      }
                      errors++;
                    }
                  } else {
                    const err35 = {};
                    if (vErrors === null) {
                      vErrors = [err35];
                    } else {
                      vErrors.push(err35);
                    }
                    errors++;
                  }
                }
                var _valid4 = _errs58 === errors;
                errors = _errs57;
                if (vErrors !== null) {
                  if (_errs57) {
                    vErrors.length = _errs57;
                  } else {
                    vErrors = null;
                  }
                }
                if (!_valid4) {
                  const _errs61 = errors;
                  if (typeof data16 !== "boolean") {
                    const err36 = { instancePath: instancePath + "/spec/banned_topics/enabled", schemaPath: "#/properties/spec/properties/banned_topics/else/properties/enabled/else/type", keyword: "type", params: { type: "boolean" } };
                    if (vErrors === null) {
                      vErrors = [err36];
                    } else {
                      vErrors.push(err36);
                    }
                    errors++;
                  }
                  var _valid4 = _errs61 === errors;
                  valid17 = _valid4;
                }
                if (!valid17) {
                  const err37 = { instancePath: instancePath + "/spec/banned_topics/enabled", schemaPath: "#/properties/spec/properties/banned_topics/else/properties/enabled/if", keyword: "if", params: { failingKeyword: "else" } };
                  if (vErrors === null) {
                    vErrors = [err37];
                  } else {
                    vErrors.push(err37);
                  }
                  errors++;
                }
              }
              if (data15.topics !== void 0) {
                let data17 = data15.topics;
                const _errs64 = errors;
                let valid19 = true;
                const _errs65 = errors;
                const _errs66 = errors;
                if (errors === _errs66) {
                  if (typeof data17 === "string") {
                    if (!pattern1.test(data17)) {
                      const err38 = {};
                      if (vErrors === null) {
                        vErrors = [err38];
                      } else {
                        vErrors.push(err38);
                      }
                      errors++;
                    }
                  } else {
                    const err39 = {};
                    if (vErrors === null) {
                      vErrors = [err39];
                    } else {
                      vErrors.push(err39);
                    }
                    errors++;
                  }
                }
                var _valid5 = _errs65 === errors;
                errors = _errs64;
                if (vErrors !== null) {
                  if (_errs64) {
                    vErrors.length = _errs64;
                  } else {
                    vErrors = null;
                  }
                }
                if (!_valid5) {
                  const _errs68 = errors;
                  if (Array.isArray(data17)) {
                    const len1 = data17.length;
                    for (let i1 = 0; i1 < len1; i1++) {
                      let data18 = data17[i1];
                      if (typeof data18 !== "string" && !(data18 && typeof data18 == "object" && !Array.isArray(data18))) {
                        const err40 = { instancePath: instancePath + "/spec/banned_topics/topics/" + i1, schemaPath: "#/properties/spec/properties/banned_topics/else/properties/topics/else/items/type", keyword: "type", params: { type: schema11.properties.spec.properties.banned_topics.else.properties.topics.else.items.type } };
                        if (vErrors === null) {
                          vErrors = [err40];
                        } else {
                          vErrors.push(err40);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err41 = { instancePath: instancePath + "/spec/banned_topics/topics", schemaPath: "#/properties/spec/properties/banned_topics/else/properties/topics/else/type", keyword: "type", params: { type: "array" } };
                    if (vErrors === null) {
                      vErrors = [err41];
                    } else {
                      vErrors.push(err41);
                    }
                    errors++;
                  }
                  var _valid5 = _errs68 === errors;
                  valid19 = _valid5;
                }
                if (!valid19) {
                  const err42 = { instancePath: instancePath + "/spec/banned_topics/topics", schemaPath: "#/properties/spec/properties/banned_topics/else/properties/topics/if", keyword: "if", params: { failingKeyword: "else" } };
                  if (vErrors === null) {
                    vErrors = [err42];
                  } else {
                    vErrors.push(err42);
                  }
                  errors++;
                }
              }
            } else {
              const err43 = { instancePath: instancePath + "/spec/banned_topics", schemaPath: "#/properties/spec/properties/banned_topics/else/type", keyword: "type", params: { type: "object" } };
              if (vErrors === null) {
                vErrors = [err43];
              } else {
                vErrors.push(err43);
              }
              errors++;
            }
            var _valid3 = _errs54 === errors;
            valid14 = _valid3;
          }
          if (!valid14) {
            const err44 = { instancePath: instancePath + "/spec/banned_topics", schemaPath: "#/properties/spec/properties/banned_topics/if", keyword: "if", params: { failingKeyword: "else" } };
            if (vErrors === null) {
              vErrors = [err44];
            } else {
              vErrors.push(err44);
            }
            errors++;
          }
        }
        if (data8.keywords !== void 0) {
          let data19 = data8.keywords;
          const _errs74 = errors;
          let valid23 = true;
          const _errs75 = errors;
          const _errs76 = errors;
          if (errors === _errs76) {
            if (typeof data19 === "string") {
              if (!pattern1.test(data19)) {
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
          var _valid6 = _errs75 === errors;
          errors = _errs74;
          if (vErrors !== null) {
            if (_errs74) {
              vErrors.length = _errs74;
            } else {
              vErrors = null;
            }
          }
          if (!_valid6) {
            const _errs78 = errors;
            if (data19 && typeof data19 == "object" && !Array.isArray(data19)) {
              if (data19.enabled !== void 0) {
                let data20 = data19.enabled;
                const _errs81 = errors;
                let valid26 = true;
                const _errs82 = errors;
                const _errs83 = errors;
                if (errors === _errs83) {
                  if (typeof data20 === "string") {
                    if (!pattern1.test(data20)) {
                      const err47 = {};
                      if (vErrors === null) {
                        vErrors = [err47];
                      } else {
                        vErrors.push(err47);
                      }
                      errors++;
                    }
                  } else {
                    const err48 = {};
                    if (vErrors === null) {
                      vErrors = [err48];
                    } else {
                      vErrors.push(err48);
                    }
                    errors++;
                  }
                }
                var _valid7 = _errs82 === errors;
                errors = _errs81;
                if (vErrors !== null) {
                  if (_errs81) {
                    vErrors.length = _errs81;
                  } else {
                    vErrors = null;
                  }
                }
                if (!_valid7) {
                  const _errs85 = errors;
                  if (typeof data20 !== "boolean") {
                    const err49 = { instancePath: instancePath + "/spec/keywords/enabled", schemaPath: "#/properties/spec/properties/keywords/else/properties/enabled/else/type", keyword: "type", params: { type: "boolean" } };
                    if (vErrors === null) {
                      vErrors = [err49];
                    } else {
                      vErrors.push(err49);
                    }
                    errors++;
                  }
                  var _valid7 = _errs85 === errors;
                  valid26 = _valid7;
                }
                if (!valid26) {
                  const err50 = { instancePath: instancePath + "/spec/keywords/enabled", schemaPath: "#/properties/spec/properties/keywords/else/properties/enabled/if", keyword: "if", params: { failingKeyword: "else" } };
                  if (vErrors === null) {
                    vErrors = [err50];
                  } else {
                    vErrors.push(err50);
                  }
                  errors++;
                }
              }
              if (data19.keywords !== void 0) {
                let data21 = data19.keywords;
                const _errs88 = errors;
                let valid28 = true;
                const _errs89 = errors;
                const _errs90 = errors;
                if (errors === _errs90) {
                  if (typeof data21 === "string") {
                    if (!pattern1.test(data21)) {
                      const err51 = {};
                      if (vErrors === null) {
                        vErrors = [err51];
                      } else {
                        vErrors.push(err51);
                      }
                      errors++;
                    }
                  } else {
                    const err52 = {};
                    if (vErrors === null) {
                      vErrors = [err52];
                    } else {
                      vErrors.push(err52);
                    }
                    errors++;
                  }
                }
                var _valid8 = _errs89 === errors;
                errors = _errs88;
                if (vErrors !== null) {
                  if (_errs88) {
                    vErrors.length = _errs88;
                  } else {
                    vErrors = null;
                  }
                }
                if (!_valid8) {
                  const _errs92 = errors;
                  if (Array.isArray(data21)) {
                    const len2 = data21.length;
                    for (let i2 = 0; i2 < len2; i2++) {
                      let data22 = data21[i2];
                      if (typeof data22 !== "string" && !(data22 && typeof data22 == "object" && !Array.isArray(data22))) {
                        const err53 = { instancePath: instancePath + "/spec/keywords/keywords/" + i2, schemaPath: "#/properties/spec/properties/keywords/else/properties/keywords/else/items/type", keyword: "type", params: { type: schema11.properties.spec.properties.keywords.else.properties.keywords.else.items.type } };
                        if (vErrors === null) {
                          vErrors = [err53];
                        } else {
                          vErrors.push(err53);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err54 = { instancePath: instancePath + "/spec/keywords/keywords", schemaPath: "#/properties/spec/properties/keywords/else/properties/keywords/else/type", keyword: "type", params: { type: "array" } };
                    if (vErrors === null) {
                      vErrors = [err54];
                    } else {
                      vErrors.push(err54);
                    }
                    errors++;
                  }
                  var _valid8 = _errs92 === errors;
                  valid28 = _valid8;
                }
                if (!valid28) {
                  const err55 = { instancePath: instancePath + "/spec/keywords/keywords", schemaPath: "#/properties/spec/properties/keywords/else/properties/keywords/if", keyword: "if", params: { failingKeyword: "else" } };
                  if (vErrors === null) {
                    vErrors = [err55];
                  } else {
                    vErrors.push(err55);
                  }
                  errors++;
                }
              }
            } else {
              const err56 = { instancePath: instancePath + "/spec/keywords", schemaPath: "#/properties/spec/properties/keywords/else/type", keyword: "type", params: { type: "object" } };
              if (vErrors === null) {
                vErrors = [err56];
              } else {
                vErrors.push(err56);
              }
              errors++;
            }
            var _valid6 = _errs78 === errors;
            valid23 = _valid6;
          }
          if (!valid23) {
            const err57 = { instancePath: instancePath + "/spec/keywords", schemaPath: "#/properties/spec/properties/keywords/if", keyword: "if", params: { failingKeyword: "else" } };
            if (vErrors === null) {
              vErrors = [err57];
            } else {
              vErrors.push(err57);
            }
            errors++;
          }
        }
        if (data8.toxicity_check !== void 0) {
          let data23 = data8.toxicity_check;
          const _errs98 = errors;
          let valid32 = true;
          const _errs99 = errors;
          const _errs100 = errors;
          if (errors === _errs100) {
            if (typeof data23 === "string") {
              if (!pattern1.test(data23)) {
                const err58 = {};
                if (vErrors === null) {
                  vErrors = [err58];
                } else {
                  vErrors.push(err58);
                }
                errors++;
              }
            } else {
              const err59 = {};
              if (vErrors === null) {
                vErrors = [err59];
              } else {
                vErrors.push(err59);
              }
              errors++;
            }
          }
          var _valid9 = _errs99 === errors;
          errors = _errs98;
          if (vErrors !== null) {
            if (_errs98) {
              vErrors.length = _errs98;
            } else {
              vErrors = null;
            }
          }
          if (!_valid9) {
            const _errs102 = errors;
            if (data23 && typeof data23 == "object" && !Array.isArray(data23)) {
              if (data23.enabled !== void 0) {
                let data24 = data23.enabled;
                const _errs105 = errors;
                let valid35 = true;
                const _errs106 = errors;
                const _errs107 = errors;
                if (errors === _errs107) {
                  if (typeof data24 === "string") {
                    if (!pattern1.test(data24)) {
                      const err60 = {};
                      if (vErrors === null) {
                        vErrors = [err60];
                      } else {
                        vErrors.push(err60);
                      }
                      errors++;
                    }
                  } else {
                    const err61 = {};
                    if (vErrors === null) {
                      vErrors = [err61];
                    } else {
                      vErrors.push(err61);
                    }
                    errors++;
                  }
                }
                var _valid10 = _errs106 === errors;
                errors = _errs105;
                if (vErrors !== null) {
                  if (_errs105) {
                    vErrors.length = _errs105;
                  } else {
                    vErrors = null;
                  }
                }
                if (!_valid10) {
                  const _errs109 = errors;
                  if (typeof data24 !== "boolean") {
                    const err62 = { instancePath: instancePath + "/spec/toxicity_check/enabled", schemaPath: "#/properties/spec/properties/toxicity_check/else/properties/enabled/else/type", keyword: "type", params: { type: "boolean" } };
                    if (vErrors === null) {
                      vErrors = [err62];
                    } else {
                      vErrors.push(err62);
                    }
                    errors++;
                  }
                  var _valid10 = _errs109 === errors;
                  valid35 = _valid10;
                }
                if (!valid35) {
                  const err63 = { instancePath: instancePath + "/spec/toxicity_check/enabled", schemaPath: "#/properties/spec/properties/toxicity_check/else/properties/enabled/if", keyword: "if", params: { failingKeyword: "else" } };
                  if (vErrors === null) {
                    vErrors = [err63];
                  } else {
                    vErrors.push(err63);
                  }
                  errors++;
                }
              }
              if (data23.threshold !== void 0) {
                let data25 = data23.threshold;
                const _errs112 = errors;
                let valid37 = true;
                const _errs113 = errors;
                const _errs114 = errors;
                if (errors === _errs114) {
                  if (typeof data25 === "string") {
                    if (!pattern1.test(data25)) {
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
                var _valid11 = _errs113 === errors;
                errors = _errs112;
                if (vErrors !== null) {
                  if (_errs112) {
                    vErrors.length = _errs112;
                  } else {
                    vErrors = null;
                  }
                }
                if (!_valid11) {
                  const _errs116 = errors;
                  if (!(typeof data25 == "number" && isFinite(data25))) {
                    const err66 = { instancePath: instancePath + "/spec/toxicity_check/threshold", schemaPath: "#/properties/spec/properties/toxicity_check/else/properties/threshold/else/type", keyword: "type", params: { type: "number" } };
                    if (vErrors === null) {
                      vErrors = [err66];
                    } else {
                      vErrors.push(err66);
                    }
                    errors++;
                  }
                  var _valid11 = _errs116 === errors;
                  valid37 = _valid11;
                }
                if (!valid37) {
                  const err67 = { instancePath: instancePath + "/spec/toxicity_check/threshold", schemaPath: "#/properties/spec/properties/toxicity_check/else/properties/threshold/if", keyword: "if", params: { failingKeyword: "else" } };
                  if (vErrors === null) {
                    vErrors = [err67];
                  } else {
                    vErrors.push(err67);
                  }
                  errors++;
                }
              }
            } else {
              const err68 = { instancePath: instancePath + "/spec/toxicity_check", schemaPath: "#/properties/spec/properties/toxicity_check/else/type", keyword: "type", params: { type: "object" } };
              if (vErrors === null) {
                vErrors = [err68];
              } else {
                vErrors.push(err68);
              }
              errors++;
            }
            var _valid9 = _errs102 === errors;
            valid32 = _valid9;
          }
          if (!valid32) {
            const err69 = { instancePath: instancePath + "/spec/toxicity_check", schemaPath: "#/properties/spec/properties/toxicity_check/if", keyword: "if", params: { failingKeyword: "else" } };
            if (vErrors === null) {
              vErrors = [err69];
            } else {
              vErrors.push(err69);
            }
            errors++;
          }
        }
        if (data8.prompt_injection !== void 0) {
          let data26 = data8.prompt_injection;
          const _errs119 = errors;
          let valid39 = true;
          const _errs120 = errors;
          const _errs121 = errors;
          if (errors === _errs121) {
            if (typeof data26 === "string") {
              if (!pattern1.test(data26)) {
                const err70 = {};
                if (vErrors === null) {
                  vErrors = [err70];
                } else {
                  vErrors.push(err70);
                }
                errors++;
              }
            } else {
              const err71 = {};
              if (vErrors === null) {
                vErrors = [err71];
              } else {
                vErrors.push(err71);
              }
              errors++;
            }
          }
          var _valid12 = _errs120 === errors;
          errors = _errs119;
          if (vErrors !== null) {
            if (_errs119) {
              vErrors.length = _errs119;
            } else {
              vErrors = null;
            }
          }
          if (!_valid12) {
            const _errs123 = errors;
            if (data26 && typeof data26 == "object" && !Array.isArray(data26)) {
              if (data26.enabled !== void 0) {
                let data27 = data26.enabled;
                const _errs126 = errors;
                let valid42 = true;
                const _errs127 = errors;
                const _errs128 = errors;
                if (errors === _errs128) {
                  if (typeof data27 === "string") {
                    if (!pattern1.test(data27)) {
                      const err72 = {};
                      if (vErrors === null) {
                        vErrors = [err72];
                      } else {
                        vErrors.push(err72);
                      }
                      errors++;
                    }
                  } else {
                    const err73 = {};
                    if (vErrors === null) {
                      vErrors = [err73];
                    } else {
                      vErrors.push(err73);
                    }
                    errors++;
                  }
                }
                var _valid13 = _errs127 === errors;
                errors = _errs126;
                if (vErrors !== null) {
                  if (_errs126) {
                    vErrors.length = _errs126;
                  } else {
                    vErrors = null;
                  }
                }
                if (!_valid13) {
                  const _errs130 = errors;
                  if (typeof data27 !== "boolean") {
                    const err74 = { instancePath: instancePath + "/spec/prompt_injection/enabled", schemaPath: "#/properties/spec/properties/prompt_injection/else/properties/enabled/else/type", keyword: "type", params: { type: "boolean" } };
                    if (vErrors === null) {
                      vErrors = [err74];
                    } else {
                      vErrors.push(err74);
                    }
                    errors++;
                  }
                  var _valid13 = _errs130 === errors;
                  valid42 = _valid13;
                }
                if (!valid42) {
                  const err75 = { instancePath: instancePath + "/spec/prompt_injection/enabled", schemaPath: "#/properties/spec/properties/prompt_injection/else/properties/enabled/if", keyword: "if", params: { failingKeyword: "else" } };
                  if (vErrors === null) {
                    vErrors = [err75];
                  } else {
                    vErrors.push(err75);
                  }
                  errors++;
                }
              }
              if (data26.threshold !== void 0) {
                let data28 = data26.threshold;
                const _errs133 = errors;
                let valid44 = true;
                const _errs134 = errors;
                const _errs135 = errors;
                if (errors === _errs135) {
                  if (typeof data28 === "string") {
                    if (!pattern1.test(data28)) {
                      const err76 = {};
                      if (vErrors === null) {
                        vErrors = [err76];
                      } else {
                        vErrors.push(err76);
                      }
                      errors++;
                    }
                  } else {
                    const err77 = {};
                    if (vErrors === null) {
                      vErrors = [err77];
                    } else {
                      vErrors.push(err77);
                    }
                    errors++;
                  }
                }
                var _valid14 = _errs134 === errors;
                errors = _errs133;
                if (vErrors !== null) {
                  if (_errs133) {
                    vErrors.length = _errs133;
                  } else {
                    vErrors = null;
                  }
                }
                if (!_valid14) {
                  const _errs137 = errors;
                  if (!(typeof data28 == "number" && isFinite(data28))) {
                    const err78 = { instancePath: instancePath + "/spec/prompt_injection/threshold", schemaPath: "#/properties/spec/properties/prompt_injection/else/properties/threshold/else/type", keyword: "type", params: { type: "number" } };
                    if (vErrors === null) {
                      vErrors = [err78];
                    } else {
                      vErrors.push(err78);
                    }
                    errors++;
                  }
                  var _valid14 = _errs137 === errors;
                  valid44 = _valid14;
                }
                if (!valid44) {
                  const err79 = { instancePath: instancePath + "/spec/prompt_injection/threshold", schemaPath: "#/properties/spec/properties/prompt_injection/else/properties/threshold/if", keyword: "if", params: { failingKeyword: "else" } };
                  if (vErrors === null) {
                    vErrors = [err79];
                  } else {
                    vErrors.push(err79);
                  }
                  errors++;
                }
              }
            } else {
              const err80 = { instancePath: instancePath + "/spec/prompt_injection", schemaPath: "#/properties/spec/properties/prompt_injection/else/type", keyword: "type", params: { type: "object" } };
              if (vErrors === null) {
                vErrors = [err80];
              } else {
                vErrors.push(err80);
              }
              errors++;
            }
            var _valid12 = _errs123 === errors;
            valid39 = _valid12;
          }
          if (!valid39) {
            const err81 = { instancePath: instancePath + "/spec/prompt_injection", schemaPath: "#/properties/spec/properties/prompt_injection/if", keyword: "if", params: { failingKeyword: "else" } };
            if (vErrors === null) {
              vErrors = [err81];
            } else {
              vErrors.push(err81);
            }
            errors++;
          }
        }
        if (data8.secrets_detection !== void 0) {
          let data29 = data8.secrets_detection;
          const _errs140 = errors;
          let valid46 = true;
          const _errs141 = errors;
          const _errs142 = errors;
          if (errors === _errs142) {
            if (typeof data29 === "string") {
              if (!pattern1.test(data29)) {
                const err82 = {};
                if (vErrors === null) {
                  vErrors = [err82];
                } else {
                  vErrors.push(err82);
                }
                errors++;
              }
            } else {
              const err83 = {};
              if (vErrors === null) {
                vErrors = [err83];
              } else {
                vErrors.push(err83);
              }
              errors++;
            }
          }
          var _valid15 = _errs141 === errors;
          errors = _errs140;
          if (vErrors !== null) {
            if (_errs140) {
              vErrors.length = _errs140;
            } else {
              vErrors = null;
            }
          }
          if (!_valid15) {
            const _errs144 = errors;
            if (data29 && typeof data29 == "object" && !Array.isArray(data29)) {
              if (data29.enabled !== void 0) {
                let data30 = data29.enabled;
                const _errs147 = errors;
                let valid49 = true;
                const _errs148 = errors;
                const _errs149 = errors;
                if (errors === _errs149) {
                  if (typeof data30 === "string") {
                    if (!pattern1.test(data30)) {
                      const err84 = {};
                      if (vErrors === null) {
                        vErrors = [err84];
                      } else {
                        vErrors.push(err84);
                      }
                      errors++;
                    }
                  } else {
                    const err85 = {};
                    if (vErrors === null) {
                      vErrors = [err85];
                    } else {
                      vErrors.push(err85);
                    }
                    errors++;
                  }
                }
                var _valid16 = _errs148 === errors;
                errors = _errs147;
                if (vErrors !== null) {
                  if (_errs147) {
                    vErrors.length = _errs147;
                  } else {
                    vErrors = null;
                  }
                }
                if (!_valid16) {
                  const _errs151 = errors;
                  if (typeof data30 !== "boolean") {
                    const err86 = { instancePath: instancePath + "/spec/secrets_detection/enabled", schemaPath: "#/properties/spec/properties/secrets_detection/else/properties/enabled/else/type", keyword: "type", params: { type: "boolean" } };
                    if (vErrors === null) {
                      vErrors = [err86];
                    } else {
                      vErrors.push(err86);
                    }
                    errors++;
                  }
                  var _valid16 = _errs151 === errors;
                  valid49 = _valid16;
                }
                if (!valid49) {
                  const err87 = { instancePath: instancePath + "/spec/secrets_detection/enabled", schemaPath: "#/properties/spec/properties/secrets_detection/else/properties/enabled/if", keyword: "if", params: { failingKeyword: "else" } };
                  if (vErrors === null) {
                    vErrors = [err87];
                  } else {
                    vErrors.push(err87);
                  }
                  errors++;
                }
              }
              if (data29.action !== void 0) {
                if (typeof data29.action !== "string") {
                  const err88 = { instancePath: instancePath + "/spec/secrets_detection/action", schemaPath: "#/properties/spec/properties/secrets_detection/else/properties/action/type", keyword: "type", params: { type: "string" } };
                  if (vErrors === null) {
                    vErrors = [err88];
                  } else {
                    vErrors.push(err88);
                  }
                  errors++;
                }
              }
            } else {
              const err89 = { instancePath: instancePath + "/spec/secrets_detection", schemaPath: "#/properties/spec/properties/secrets_detection/else/type", keyword: "type", params: { type: "object" } };
              if (vErrors === null) {
                vErrors = [err89];
              } else {
                vErrors.push(err89);
              }
              errors++;
            }
            var _valid15 = _errs144 === errors;
            valid46 = _valid15;
          }
          if (!valid46) {
            const err90 = { instancePath: instancePath + "/spec/secrets_detection", schemaPath: "#/properties/spec/properties/secrets_detection/if", keyword: "if", params: { failingKeyword: "else" } };
            if (vErrors === null) {
              vErrors = [err90];
            } else {
              vErrors.push(err90);
            }
            errors++;
          }
        }
        if (data8.pii_detection !== void 0) {
          let data32 = data8.pii_detection;
          const _errs156 = errors;
          let valid51 = true;
          const _errs157 = errors;
          const _errs158 = errors;
          if (errors === _errs158) {
            if (typeof data32 === "string") {
              if (!pattern1.test(data32)) {
                const err91 = {};
                if (vErrors === null) {
                  vErrors = [err91];
                } else {
                  vErrors.push(err91);
                }
                errors++;
              }
            } else {
              const err92 = {};
              if (vErrors === null) {
                vErrors = [err92];
              } else {
                vErrors.push(err92);
              }
              errors++;
            }
          }
          var _valid17 = _errs157 === errors;
          errors = _errs156;
          if (vErrors !== null) {
            if (_errs156) {
              vErrors.length = _errs156;
            } else {
              vErrors = null;
            }
          }
          if (!_valid17) {
            const _errs160 = errors;
            if (data32 && typeof data32 == "object" && !Array.isArray(data32)) {
              if (data32.enabled !== void 0) {
                let data33 = data32.enabled;
                const _errs163 = errors;
                let valid54 = true;
                const _errs164 = errors;
                const _errs165 = errors;
                if (errors === _errs165) {
                  if (typeof data33 === "string") {
                    if (!pattern1.test(data33)) {
                      const err93 = {};
                      if (vErrors === null) {
                        vErrors = [err93];
                      } else {
                        vErrors.push(err93);
                      }
                      errors++;
                    }
                  } else {
                    const err94 = {};
                    if (vErrors === null) {
                      vErrors = [err94];
                    } else {
                      vErrors.push(err94);
                    }
                    errors++;
                  }
                }
                var _valid18 = _errs164 === errors;
                errors = _errs163;
                if (vErrors !== null) {
                  if (_errs163) {
                    vErrors.length = _errs163;
                  } else {
                    vErrors = null;
                  }
                }
                if (!_valid18) {
                  const _errs167 = errors;
                  if (typeof data33 !== "boolean") {
                    const err95 = { instancePath: instancePath + "/spec/pii_detection/enabled", schemaPath: "#/properties/spec/properties/pii_detection/else/properties/enabled/else/type", keyword: "type", params: { type: "boolean" } };
                    if (vErrors === null) {
                      vErrors = [err95];
                    } else {
                      vErrors.push(err95);
                    }
                    errors++;
                  }
                  var _valid18 = _errs167 === errors;
                  valid54 = _valid18;
                }
                if (!valid54) {
                  const err96 = { instancePath: instancePath + "/spec/pii_detection/enabled", schemaPath: "#/properties/spec/properties/pii_detection/else/properties/enabled/if", keyword: "if", params: { failingKeyword: "else" } };
                  if (vErrors === null) {
                    vErrors = [err96];
                  } else {
                    vErrors.push(err96);
                  }
                  errors++;
                }
              }
              if (data32.types !== void 0) {
                let data34 = data32.types;
                const _errs170 = errors;
                let valid56 = true;
                const _errs171 = errors;
                const _errs172 = errors;
                if (errors === _errs172) {
                  if (typeof data34 === "string") {
                    if (!pattern1.test(data34)) {
                      const err97 = {};
                      if (vErrors === null) {
                        vErrors = [err97];
                      } else {
                        vErrors.push(err97);
                      }
                      errors++;
                    }
                  } else {
                    const err98 = {};
                    if (vErrors === null) {
                      vErrors = [err98];
                    } else {
                      vErrors.push(err98);
                    }
                    errors++;
                  }
                }
                var _valid19 = _errs171 === errors;
                errors = _errs170;
                if (vErrors !== null) {
                  if (_errs170) {
                    vErrors.length = _errs170;
                  } else {
                    vErrors = null;
                  }
                }
                if (!_valid19) {
                  const _errs174 = errors;
                  if (data34 && typeof data34 == "object" && !Array.isArray(data34)) {
                    for (const key4 in data34) {
                      if (typeof data34[key4] !== "string") {
                        const err99 = { instancePath: instancePath + "/spec/pii_detection/types/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/spec/properties/pii_detection/else/properties/types/else/additionalProperties/type", keyword: "type", params: { type: "string" } };
                        if (vErrors === null) {
                          vErrors = [err99];
                        } else {
                          vErrors.push(err99);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err100 = { instancePath: instancePath + "/spec/pii_detection/types", schemaPath: "#/properties/spec/properties/pii_detection/else/properties/types/else/type", keyword: "type", params: { type: "object" } };
                    if (vErrors === null) {
                      vErrors = [err100];
                    } else {
                      vErrors.push(err100);
                    }
                    errors++;
                  }
                  var _valid19 = _errs174 === errors;
                  valid56 = _valid19;
                }
                if (!valid56) {
                  const err101 = { instancePath: instancePath + "/spec/pii_detection/types", schemaPath: "#/properties/spec/properties/pii_detection/else/properties/types/if", keyword: "if", params: { failingKeyword: "else" } };
                  if (vErrors === null) {
                    vErrors = [err101];
                  } else {
                    vErrors.push(err101);
                  }
                  errors++;
                }
              }
              if (data32.custom_pii !== void 0) {
                let data36 = data32.custom_pii;
                const _errs180 = errors;
                let valid59 = true;
                const _errs181 = errors;
                const _errs182 = errors;
                if (errors === _errs182) {
                  if (typeof data36 === "string") {
                    if (!pattern1.test(data36)) {
                      const err102 = {};
                      if (vErrors === null) {
                        vErrors = [err102];
                      } else {
                        vErrors.push(err102);
                      }
                      errors++;
                    }
                  } else {
                    const err103 = {};
                    if (vErrors === null) {
                      vErrors = [err103];
                    } else {
                      vErrors.push(err103);
                    }
                    errors++;
                  }
                }
                var _valid20 = _errs181 === errors;
                errors = _errs180;
                if (vErrors !== null) {
                  if (_errs180) {
                    vErrors.length = _errs180;
                  } else {
                    vErrors = null;
                  }
                }
                if (!_valid20) {
                  const _errs184 = errors;
                  if (Array.isArray(data36)) {
                    const len3 = data36.length;
                    for (let i3 = 0; i3 < len3; i3++) {
                      let data37 = data36[i3];
                      const _errs187 = errors;
                      let valid63 = true;
                      const _errs188 = errors;
                      const _errs189 = errors;
                      if (errors === _errs189) {
                        if (typeof data37 === "string") {
                          if (!pattern1.test(data37)) {
                            const err104 = {};
                            if (vErrors === null) {
                              vErrors = [err104];
                            } else {
                              vErrors.push(err104);
                            }
                            errors++;
                          }
                        } else {
                          const err105 = {};
                          if (vErrors === null) {
                            vErrors = [err105];
                          } else {
                            vErrors.push(err105);
                          }
                          errors++;
                        }
                      }
                      var _valid21 = _errs188 === errors;
                      errors = _errs187;
                      if (vErrors !== null) {
                        if (_errs187) {
                          vErrors.length = _errs187;
                        } else {
                          vErrors = null;
                        }
                      }
                      if (!_valid21) {
                        const _errs191 = errors;
                        if (data37 && typeof data37 == "object" && !Array.isArray(data37)) {
                          if (data37.label !== void 0) {
                            if (typeof data37.label !== "string") {
                              const err106 = { instancePath: instancePath + "/spec/pii_detection/custom_pii/" + i3 + "/label", schemaPath: "#/properties/spec/properties/pii_detection/else/properties/custom_pii/else/items/else/properties/label/type", keyword: "type", params: { type: "string" } };
                              if (vErrors === null) {
                                vErrors = [err106];
                              } else {
                                vErrors.push(err106);
                              }
                              errors++;
                            }
                          }
                          if (data37.replacement !== void 0) {
                            if (typeof data37.replacement !== "string") {
                              const err107 = { instancePath: instancePath + "/spec/pii_detection/custom_pii/" + i3 + "/replacement", schemaPath: "#/properties/spec/properties/pii_detection/else/properties/custom_pii/else/items/else/properties/replacement/type", keyword: "type", params: { type: "string" } };
                              if (vErrors === null) {
                                vErrors = [err107];
                              } else {
                                vErrors.push(err107);
                              }
                              errors++;
                            }
                          }
                          if (data37.action !== void 0) {
                            if (typeof data37.action !== "string") {
                              const err108 = { instancePath: instancePath + "/spec/pii_detection/custom_pii/" + i3 + "/action", schemaPath: "#/properties/spec/properties/pii_detection/else/properties/custom_pii/else/items/else/properties/action/type", keyword: "type", params: { type: "string" } };
                              if (vErrors === null) {
                                vErrors = [err108];
                              } else {
                                vErrors.push(err108);
                              }
                              errors++;
                            }
                          }
                        } else {
                          const err109 = { instancePath: instancePath + "/spec/pii_detection/custom_pii/" + i3, schemaPath: "#/properties/spec/properties/pii_detection/else/properties/custom_pii/else/items/else/type", keyword: "type", params: { type: "object" } };
                          if (vErrors === null) {
                            vErrors = [err109];
                          } else {
                            vErrors.push(err109);
                          }
                          errors++;
                        }
                        var _valid21 = _errs191 === errors;
                        valid63 = _valid21;
                      }
                      if (!valid63) {
                        const err110 = { instancePath: instancePath + "/spec/pii_detection/custom_pii/" + i3, schemaPath: "#/properties/spec/properties/pii_detection/else/properties/custom_pii/else/items/if", keyword: "if", params: { failingKeyword: "else" } };
                        if (vErrors === null) {
                          vErrors = [err110];
                        } else {
                          vErrors.push(err110);
                        }
                        errors++;
                      }
                    }
                  } else {
                    const err111 = { instancePath: instancePath + "/spec/pii_detection/custom_pii", schemaPath: "#/properties/spec/properties/pii_detection/else/properties/custom_pii/else/type", keyword: "type", params: { type: "array" } };
                    if (vErrors === null) {
                      vErrors = [err111];
                    } else {
                      vErrors.push(err111);
                    }
                    errors++;
                  }
                  var _valid20 = _errs184 === errors;
                  valid59 = _valid20;
                }
                if (!valid59) {
                  const err112 = { instancePath: instancePath + "/spec/pii_detection/custom_pii", schemaPath: "#/properties/spec/properties/pii_detection/else/properties/custom_pii/if", keyword: "if", params: { failingKeyword: "else" } };
                  if (vErrors === null) {
                    vErrors = [err112];
                  } else {
                    vErrors.push(err112);
                  }
                  errors++;
                }
              }
            } else {
              const err113 = { instancePath: instancePath + "/spec/pii_detection", schemaPath: "#/properties/spec/properties/pii_detection/else/type", keyword: "type", params: { type: "object" } };
              if (vErrors === null) {
                vErrors = [err113];
              } else {
                vErrors.push(err113);
              }
              errors++;
            }
            var _valid17 = _errs160 === errors;
            valid51 = _valid17;
          }
          if (!valid51) {
            const err114 = { instancePath: instancePath + "/spec/pii_detection", schemaPath: "#/properties/spec/properties/pii_detection/if", keyword: "if", params: { failingKeyword: "else" } };
            if (vErrors === null) {
              vErrors = [err114];
            } else {
              vErrors.push(err114);
            }
            errors++;
          }
        }
        if (data8.user_id !== void 0) {
          if (typeof data8.user_id !== "string") {
            const err115 = { instancePath: instancePath + "/spec/user_id", schemaPath: "#/properties/spec/properties/user_id/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err115];
            } else {
              vErrors.push(err115);
            }
            errors++;
          }
        }
        if (data8._id !== void 0) {
          if (typeof data8._id !== "string") {
            const err116 = { instancePath: instancePath + "/spec/_id", schemaPath: "#/properties/spec/properties/_id/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err116];
            } else {
              vErrors.push(err116);
            }
            errors++;
          }
        }
        if (data8.created_at !== void 0) {
          if (typeof data8.created_at !== "string") {
            const err117 = { instancePath: instancePath + "/spec/created_at", schemaPath: "#/properties/spec/properties/created_at/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err117];
            } else {
              vErrors.push(err117);
            }
            errors++;
          }
        }
        if (data8.updated_at !== void 0) {
          if (typeof data8.updated_at !== "string") {
            const err118 = { instancePath: instancePath + "/spec/updated_at", schemaPath: "#/properties/spec/properties/updated_at/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err118];
            } else {
              vErrors.push(err118);
            }
            errors++;
          }
        }
      } else {
        const err119 = { instancePath: instancePath + "/spec", schemaPath: "#/properties/spec/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err119];
        } else {
          vErrors.push(err119);
        }
        errors++;
      }
    }
    if (data.lifecycle !== void 0) {
      let data45 = data.lifecycle;
      if (data45 && typeof data45 == "object" && !Array.isArray(data45)) {
        for (const key5 in data45) {
          if (!(key5 === "protect" || key5 === "adopt" || key5 === "moved_from")) {
            const err120 = { instancePath: instancePath + "/lifecycle", schemaPath: "#/properties/lifecycle/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key5 } };
            if (vErrors === null) {
              vErrors = [err120];
            } else {
              vErrors.push(err120);
            }
            errors++;
          }
        }
        if (data45.protect !== void 0) {
          let data46 = data45.protect;
          const _errs211 = errors;
          let valid67 = true;
          const _errs212 = errors;
          const _errs213 = errors;
          if (errors === _errs213) {
            if (typeof data46 === "string") {
              if (!pattern1.test(data46)) {
                const err121 = {};
                if (vErrors === null) {
                  vErrors = [err121];
                } else {
                  vErrors.push(err121);
                }
                errors++;
              }
            } else {
              const err122 = {};
              if (vErrors === null) {
                vErrors = [err122];
              } else {
                vErrors.push(err122);
              }
              errors++;
            }
          }
          var _valid22 = _errs212 === errors;
          errors = _errs211;
          if (vErrors !== null) {
            if (_errs211) {
              vErrors.length = _errs211;
            } else {
              vErrors = null;
            }
          }
          if (!_valid22) {
            const _errs215 = errors;
            if (typeof data46 !== "boolean") {
              const err123 = { instancePath: instancePath + "/lifecycle/protect", schemaPath: "#/properties/lifecycle/properties/protect/else/type", keyword: "type", params: { type: "boolean" } };
              if (vErrors === null) {
                vErrors = [err123];
              } else {
                vErrors.push(err123);
              }
              errors++;
            }
            var _valid22 = _errs215 === errors;
            valid67 = _valid22;
          }
          if (!valid67) {
            const err124 = { instancePath: instancePath + "/lifecycle/protect", schemaPath: "#/properties/lifecycle/properties/protect/if", keyword: "if", params: { failingKeyword: "else" } };
            if (vErrors === null) {
              vErrors = [err124];
            } else {
              vErrors.push(err124);
            }
            errors++;
          }
        }
        if (data45.adopt !== void 0) {
          let data47 = data45.adopt;
          if (typeof data47 !== "string" && !(data47 && typeof data47 == "object" && !Array.isArray(data47))) {
            const err125 = { instancePath: instancePath + "/lifecycle/adopt", schemaPath: "#/properties/lifecycle/properties/adopt/type", keyword: "type", params: { type: schema11.properties.lifecycle.properties.adopt.type } };
            if (vErrors === null) {
              vErrors = [err125];
            } else {
              vErrors.push(err125);
            }
            errors++;
          }
          if (typeof data47 === "string") {
            if (func2(data47) < 1) {
              const err126 = { instancePath: instancePath + "/lifecycle/adopt", schemaPath: "#/properties/lifecycle/properties/adopt/minLength", keyword: "minLength", params: { limit: 1 } };
              if (vErrors === null) {
                vErrors = [err126];
              } else {
                vErrors.push(err126);
              }
              errors++;
            }
          }
          if (data47 && typeof data47 == "object" && !Array.isArray(data47)) {
            for (const key6 in data47) {
              let data48 = data47[key6];
              if (typeof data48 === "string") {
                if (func2(data48) < 1) {
                  const err127 = { instancePath: instancePath + "/lifecycle/adopt/" + key6.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/lifecycle/properties/adopt/additionalProperties/minLength", keyword: "minLength", params: { limit: 1 } };
                  if (vErrors === null) {
                    vErrors = [err127];
                  } else {
                    vErrors.push(err127);
                  }
                  errors++;
                }
              } else {
                const err128 = { instancePath: instancePath + "/lifecycle/adopt/" + key6.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/lifecycle/properties/adopt/additionalProperties/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err128];
                } else {
                  vErrors.push(err128);
                }
                errors++;
              }
            }
          }
        }
        if (data45.moved_from !== void 0) {
          let data49 = data45.moved_from;
          if (typeof data49 !== "string" && !Array.isArray(data49)) {
            const err129 = { instancePath: instancePath + "/lifecycle/moved_from", schemaPath: "#/properties/lifecycle/properties/moved_from/type", keyword: "type", params: { type: schema11.properties.lifecycle.properties.moved_from.type } };
            if (vErrors === null) {
              vErrors = [err129];
            } else {
              vErrors.push(err129);
            }
            errors++;
          }
          if (typeof data49 === "string") {
            if (func2(data49) < 1) {
              const err130 = { instancePath: instancePath + "/lifecycle/moved_from", schemaPath: "#/properties/lifecycle/properties/moved_from/minLength", keyword: "minLength", params: { limit: 1 } };
              if (vErrors === null) {
                vErrors = [err130];
              } else {
                vErrors.push(err130);
              }
              errors++;
            }
          }
          if (Array.isArray(data49)) {
            const len4 = data49.length;
            for (let i4 = 0; i4 < len4; i4++) {
              let data50 = data49[i4];
              if (typeof data50 === "string") {
                if (func2(data50) < 1) {
                  const err131 = { instancePath: instancePath + "/lifecycle/moved_from/" + i4, schemaPath: "#/properties/lifecycle/properties/moved_from/items/minLength", keyword: "minLength", params: { limit: 1 } };
                  if (vErrors === null) {
                    vErrors = [err131];
                  } else {
                    vErrors.push(err131);
                  }
                  errors++;
                }
              } else {
                const err132 = { instancePath: instancePath + "/lifecycle/moved_from/" + i4, schemaPath: "#/properties/lifecycle/properties/moved_from/items/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err132];
                } else {
                  vErrors.push(err132);
                }
                errors++;
              }
            }
          }
        }
      } else {
        const err133 = { instancePath: instancePath + "/lifecycle", schemaPath: "#/properties/lifecycle/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err133];
        } else {
          vErrors.push(err133);
        }
        errors++;
      }
    }
  } else {
    const err134 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    if (vErrors === null) {
      vErrors = [err134];
    } else {
      vErrors.push(err134);
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
