#pragma once

#include "executor/reference/laws_at_place.hpp"
#include "executor/reference/record.hpp"

namespace conesweep::executor::reference {

/// (T2) of all persistent contacts, in the plane: with A_n, A_t their rows and F = f - D,
///
///   𝓜 = (A_n M⁻¹A_nᵀ)⁻¹A_n M⁻¹A_tᵀ,   ρ = -(A_n M⁻¹A_nᵀ)⁻¹(A_n M⁻¹F + ã_n),   ã_n = (∂A_n/∂q·v)v
///
///   exact   min over D = diag(±1) and contacts p of det(I + 𝓜 μ D) and r_p/|ρ_p|, (I + 𝓜 μ D) r = ρ
///   paper   (1/(M̄ n)) min(1/n, 1/(1 + max ρ/min ρ)) / max μ - 1, M̄ = max |𝓜_pq|; -1 where some ρ <= 0
struct CertificateProblem {
  coupled::Matrix mass;
  coupled::Matrix normals, tangents;   // A_n, A_t; 0 where a contact has no friction
  coupled::Vector mu, force, turning;  // turning: ã_n
};
Certificates find_certificates(const CertificateProblem& problem);

/// ã_n of a contact: how A_n v changes along v, by Ridders' differences.
double turning_of(const scenario::Scenario& scenario, const Place& place, const Vector& v, std::size_t contact);

}  // namespace conesweep::executor::reference
