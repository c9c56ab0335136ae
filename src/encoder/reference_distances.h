// The kinds of attention that look at distances, each as a change to the plain scoring.
#pragma once

#include <cstdint>
#include <string>

#include "encoder/reference_attention.h"

namespace berth::encoder::reference {

// A vector for each distance, against the query and perhaps the key (Shaw et al. 2018; Huang et al. 2020).
void add_distance_vectors(const Model& model, const std::string& prefix, bool with_keys, Scoring& scoring);

// A number for each bucket of distances and head (Raffel et al. 2020).
void add_bucket_bias(const Model& model, Scoring& scoring);

// Content and distance, each against the other (He et al. 2020 and 2021).
void disentangle(const Model& model, const std::string& prefix, const ReferenceInput& input, Scoring& scoring);

// Turned by position (Su et al. 2021), in local layers within a window.
void rotate(const Model& model, std::int64_t layer, const ReferenceInput& input, Scoring& scoring);

}  // namespace berth::encoder::reference
